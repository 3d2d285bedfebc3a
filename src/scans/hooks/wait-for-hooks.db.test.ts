import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { ENDS } from './hook.ts';
import { addHooks, waitingHooks } from './hook-store.ts';
import { endedAs, HookQueue, hookContext, Receiver, webhookTo } from './hooks.fixture.ts';
import { runHook, sendHooks } from './run-hook.ts';
import { waitForHooks } from './wait-for-hooks.ts';

let db: Awaited<ReturnType<typeof freshDatabase>>;
let queue: HookQueue;
let receiver: Receiver;
const never = new AbortController().signal;

beforeAll(async () => {
  db = await freshDatabase();
  queue = new HookQueue(db);
});
afterAll(() => db?.close());
beforeEach(async () => {
  receiver = new Receiver();
  await receiver.start();
});
afterEach(() => receiver.stop());

async function ended(): Promise<number> {
  const scan = await plannedScan(db, createMemorySource({}));
  await db.tx((tx) => addHooks(tx, scan, [webhookTo(receiver.url)]));
  await endedAs(db, scan);
  await db.tx((tx) => sendHooks(tx, queue.send, scan, 'completed'));
  return scan;
}

async function runNext(news: WakeSignal): Promise<void> {
  for (const { job } of await queue.take()) await runHook(db, hookContext(queue), job);
  news.notifyAll();
}

afterEach(() => db.query(`update scan_hook set state = 'skipped' where state = 'waiting'`));

it('a scan without hooks is not waited for', async () => {
  const scan = await plannedScan(db, createMemorySource({}));
  expect(await waitForHooks(db, scan, { wakeSignal: new WakeSignal(), signal: never, until: 'end' })).toEqual(
    [],
  );
});

it('hooks are waited for until they have ended, or only until they were tried', async () => {
  receiver.statuses = [500, 200];
  const news = new WakeSignal();
  const scan = await ended();
  const done = waitForHooks(db, scan, { wakeSignal: news, signal: never, until: 'end' });
  await runNext(news);
  const tried = await waitForHooks(db, scan, { wakeSignal: news, signal: never, until: 'first try' });
  expect(tried).toMatchObject([{ state: 'waiting', attempts: 1, error: 'The receiver answered 500.' }]);
  await runNext(news);
  expect(await done).toMatchObject([{ state: 'done', attempts: 2 }]);
});

it('a hook counts as left for processes that can run it, from the end of the scan to its own end', async () => {
  const folder = {
    kind: 'export',
    name: 'e',
    target: '/srv',
    format: 'jsonl',
    on: ENDS,
    place: 'here',
  } as const;
  const scan = await plannedScan(db, createMemorySource({}));
  await db.tx((tx) => addHooks(tx, scan, [webhookTo(receiver.url), folder]));
  const left = async () => [await waitingHooks(db, 'here'), await waitingHooks(db, 'there')];
  expect(await left()).toEqual([0, 0]);
  await endedAs(db, scan);
  expect(await left()).toEqual([2, 1]);
  await db.query(`update scan_hook set state = 'done' where scan_id = $1 and n = 0`, [scan]);
  expect(await left()).toEqual([1, 0]);
  await db.query(`update scan_hook set state = 'failed' where scan_id = $1`, [scan]);
  expect(await left()).toEqual([0, 0]);
});

it('an aborted wait returns what is left', async () => {
  const stop = new AbortController();
  const scan = await ended();
  const waiting = waitForHooks(db, scan, { wakeSignal: new WakeSignal(), signal: stop.signal, until: 'end' });
  stop.abort();
  expect(await waiting).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  await queue.take();
});
