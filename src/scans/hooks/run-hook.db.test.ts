import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { Database } from '../../db/database.ts';
import { startJobs } from '../../engine/jobs/jobs.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { type HookJob, type HookSettings, hookQueue } from './hook.ts';
import { requeueHook } from './hook-letter-store.ts';
import { addHooks, readHooks } from './hook-store.ts';
import {
  addResults,
  CANARY,
  endedAs,
  HookQueue,
  hookContext,
  hookOf,
  Receiver,
  webhookTo,
} from './hooks.fixture.ts';
import { recordHookFailure, runHook, sendHooks } from './run-hook.ts';
import { waitForHooks } from './wait-for-hooks.ts';
import { verifySignature } from './webhook/signature.ts';

let db: Awaited<ReturnType<typeof freshDatabase>>;
let queue: HookQueue;
let receiver: Receiver;

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

/** A scan that has ended and has sent its hooks. */
async function ended(
  hooks: readonly HookSettings[],
  status: 'completed' | 'incomplete' = 'completed',
): Promise<number> {
  const scan = await plannedScan(db, createMemorySource({}));
  await addResults(db, scan, 3, 4);
  await db.tx((tx) => addHooks(tx, scan, hooks));
  await endedAs(db, scan, status);
  await db.tx((tx) => sendHooks(tx, queue.send, scan, status));
  return scan;
}

/** Runs what is queued, and the follow-up jobs, at once, without waiting for their delays. */
async function runAll(context = hookContext(queue)): Promise<number[]> {
  const pauses: number[] = [];
  for (let jobs = await queue.take(); jobs.length > 0; jobs = await queue.take()) {
    for (const { job, afterMs } of jobs) {
      pauses.push(afterMs);
      await runHook(db, context, job);
    }
  }
  return pauses;
}

async function takeJob(): Promise<HookJob> {
  return (await queue.take())[0]!.job;
}

/** Fails at the moment when the attempt would be recorded. */
const dying: Database = {
  query: (sql, params) => db.query(sql, params),
  tx: () => Promise.reject(new Error('killed')),
  listen: (channel, handler) => db.listen(channel, handler),
  close: async () => {},
};

async function letters(scan: number) {
  const sql = `select kind, path, reason, signature, state, attempts, evidence from dead_letter where scan_id = $1`;
  return (await db.query(sql, [scan])).rows;
}

describe('the end of a scan', () => {
  it('sends a job for each hook triggered by this end, and skips the others', async () => {
    const only = (name: string, on: 'completed' | 'incomplete') =>
      webhookTo(receiver.url, { name, on: [on] });
    const scan = await ended([only('a', 'completed'), only('b', 'incomplete'), only('c', 'completed')]);
    expect((await queue.take()).map(({ job }) => job)).toEqual([
      { scan, round: 0, n: 0, attempt: 0 },
      { scan, round: 0, n: 2, attempt: 0 },
    ]);
    expect((await readHooks(db, scan)).map((hook) => hook.state)).toEqual(['waiting', 'skipped', 'waiting']);
  });

  it('of a scan without hooks sends nothing', async () => {
    await ended([]);
    expect(await queue.take()).toEqual([]);
  });

  it('sends the hooks again when the scan was opened again, and not those of the previous end', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    const [old] = await queue.take();
    await db.query('update scan set reopen_count = reopen_count + 1 where id = $1', [scan]);
    await db.tx((tx) => sendHooks(tx, queue.send, scan, 'completed'));
    await runAll();
    await runHook(db, hookContext(queue), old!.job);
    expect(receiver.deliveries.map(({ headers }) => headers['seine-delivery'])).toEqual([`${scan}-1-0`]);
    expect((await readHooks(db, scan)).map(({ round, state }) => [round, state])).toEqual([
      [0, 'skipped'],
      [1, 'done'],
    ]);
  });

  it('is not delivered when the scan was reopened before the attempt', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    await db.query('update scan set reopen_count = reopen_count + 1 where id = $1', [scan]);
    await runAll();
    expect(receiver.deliveries).toEqual([]);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'skipped', error: 'scan-reopened' });
  });

  it('waits in the queue of the host that has the folder', async () => {
    const folder = {
      kind: 'export',
      name: 'lake',
      target: '/srv/out',
      format: 'jsonl',
      on: ['completed'],
    } as const;
    await ended([
      { ...folder, place: 'machine-1' },
      { ...folder, place: null },
    ]);
    const [there, anywhere] = await queue.take();
    expect(there!.queue).toMatch(/^hook\.[0-9a-f]{16}$/);
    expect(anywhere!.queue).toBe('hook');
  });
});

describe('a webhook', () => {
  it('delivers the counts, signed, without keys or values', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    await runAll();
    const { headers, body } = receiver.deliveries[0]!;
    const received = {
      signature: String(headers['seine-signature']),
      timestamp: String(headers['seine-timestamp']),
      body,
    };
    expect(verifySignature(received, { secrets: ['hush'], now: Date.now() / 1000 })).toBe(true);
    expect(JSON.parse(body)).toMatchObject({
      schemaVersion: 1,
      event: 'scan.ended',
      delivery: `${scan}-0-0`,
      scan: { id: String(scan), status: 'completed', source: 'memory:' },
      coverage: { objects: 4, bytes: 3005, outcomes: { scanned: { objects: 3 }, skipped: { objects: 1 } } },
      tiers: { CRITICAL: 3 },
      findings: {
        total: 12,
        types: [{ detector: 'SSN', category: 'direct_identifier', objects: 3, findings: 12 }],
      },
    });
    expect(body).not.toContain(CANARY);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 1, result: { status: 200 } });
  });

  it('is not signed without a secret', async () => {
    await ended([webhookTo(receiver.url, { secret: null })]);
    await runAll();
    expect(receiver.deliveries[0]!.headers).not.toHaveProperty('seine-signature');
  });

  it('is repeated until it is accepted, under the same id, with growing pauses', async () => {
    receiver.statuses = [500, 503, 404, 200];
    const scan = await ended([webhookTo(receiver.url)]);
    const pauses = await runAll();
    expect(receiver.deliveries).toHaveLength(4);
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['seine-delivery'])).size).toBe(1);
    expect(new Set(receiver.deliveries.map(({ body }) => body)).size).toBe(1);
    expect(pauses[0]).toBe(0);
    expect(pauses.slice(1).map((ms, n) => ms >= 0 && ms <= 10_000 * 2 ** n)).toEqual([true, true, true]);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 4, error: null });
  });

  it('waits at least as long as the receiver requests', async () => {
    receiver.statuses = [429, 200];
    receiver.headers = { 'retry-after': '1234' };
    await ended([webhookTo(receiver.url)]);
    expect((await runAll())[1]).toBe(1_234_000);
  });

  it('that is never answered is tried again', async () => {
    receiver.statuses = [0];
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    await runHook(db, hookContext(queue, { timeoutMs: 200 }), job);
    receiver.statuses = [200]; // only now: on a slow machine the first request may still be in progress
    expect(await hookOf(db, scan)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      error: 'The receiver did not answer in 0.2 seconds.',
    });
    await runAll();
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 2 });
  });

  it('whose process crashes after the response is delivered again under the same id, and then never again', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    await expect(runHook(dying, hookContext(queue), job)).rejects.toThrow('killed');
    expect(await hookOf(db, scan)).toMatchObject({ state: 'waiting', attempts: 0 });
    await runHook(db, hookContext(queue), job);
    await runHook(db, hookContext(queue), job);
    const ids = receiver.deliveries.map(({ headers }) => headers['seine-delivery']);
    expect(ids).toEqual([`${scan}-0-0`, `${scan}-0-0`]);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('whose process crashes after a failure was recorded is not attempted twice for it', async () => {
    receiver.statuses = [500];
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    await runHook(db, hookContext(queue), job);
    await runHook(db, hookContext(queue), job); // the queue has no acknowledgement of it
    expect(receiver.deliveries).toHaveLength(1);
    expect((await queue.take()).map((each) => each.job)).toEqual([{ ...job, attempt: 1 }]);
    expect((await hookOf(db, scan)).attempts).toBe(1);
  });

  it('that two processes run at once is recorded once', async () => {
    receiver.statuses = [500];
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    await Promise.all([1, 2, 3].map(() => runHook(db, hookContext(queue), job)));
    expect(await queue.take()).toHaveLength(1);
    expect((await hookOf(db, scan)).attempts).toBe(1);
  });

  it('fails permanently after eight attempts: a dead letter, and the scan stays completed', async () => {
    receiver.statuses = [500];
    const scan = await ended([webhookTo(receiver.url)]);
    expect(await runAll()).toHaveLength(8);
    expect(receiver.deliveries).toHaveLength(8);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'failed', attempts: 8 });
    expect(await letters(scan)).toEqual([
      {
        kind: 'job',
        path: 'webhook tickets',
        reason: 'The receiver answered 500.',
        signature: expect.any(String),
        state: 'open',
        attempts: 8,
        evidence: { job: 'hook', scan, round: 0, n: 0, kind: 'webhook' },
      },
    ]);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });

  it('that is retried after it failed permanently runs again, and resolves its letter', async () => {
    receiver.statuses = [410];
    const scan = await ended([webhookTo(receiver.url)]);
    const id = { scan, round: 0, n: 0 };
    const retry = () =>
      db.tx(async (tx) => {
        const revived = await requeueHook(tx, id);
        if (revived) await queue.send(tx, 'hook', revived.job, 0);
        return revived !== null;
      });
    await runAll();
    expect(receiver.deliveries).toHaveLength(1); // 410 fails at once
    receiver.statuses = [500];
    expect(await retry()).toBe(true);
    expect(await runAll()).toHaveLength(8);
    expect(await letters(scan)).toMatchObject([
      { state: 'open', reason: 'The receiver answered 500.', attempts: 9 },
    ]);
    receiver.statuses = [200];
    expect(await retry()).toBe(true);
    await runAll();
    expect(await letters(scan)).toMatchObject([{ state: 'resolved' }]);
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done', attempts: 10 });
    expect(await retry()).toBe(false);
  });

  it('that is retried after a newer end is not delivered', async () => {
    receiver.statuses = [410];
    const scan = await ended([webhookTo(receiver.url)]);
    await runAll();
    await db.query('update scan set reopen_count = reopen_count + 1 where id = $1', [scan]);
    await db.tx(async (tx) => {
      const revived = await requeueHook(tx, { scan, round: 0, n: 0 });
      await queue.send(tx, 'hook', revived!.job, 0);
    });
    await runAll();
    expect(receiver.deliveries).toHaveLength(1);
    expect(await letters(scan)).toMatchObject([{ state: 'resolved' }]);
  });

  it('whose job was dead-lettered is a dead letter too', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    await db.tx((tx) => recordHookFailure(tx, job, 'the worker died each time'));
    await db.tx((tx) => recordHookFailure(tx, job, 'the worker died each time'));
    expect(await letters(scan)).toMatchObject([{ reason: 'the worker died each time' }]);
    await runHook(db, hookContext(queue), job);
    expect(receiver.deliveries).toEqual([]);
  });

  it('to a private address fails at once, and nothing is sent', async () => {
    const scan = await ended([webhookTo(receiver.url, { allowPrivate: false })]);
    expect(await runAll()).toHaveLength(1);
    expect(receiver.deliveries).toEqual([]);
    expect(await hookOf(db, scan)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('127.0.0.1'),
    });
  });

  it('may reach an address that the operator of the process allows', async () => {
    const scan = await ended([webhookTo(receiver.url, { allowPrivate: false })]);
    await runAll(hookContext(queue, { allow: ['127.0.0.0/8'] }));
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done' });
  });

  it('whose secret this process lacks is left to another', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    const fetch: Parameters<typeof hookContext>[1] = {
      fetch: (reference) => {
        if (reference.from === 'text') return reference.text;
        throw new SeineError('usage', 'The environment variable TICKETS_SECRET is not set.');
      },
    };
    await runHook(db, hookContext(queue, fetch), job);
    expect(receiver.deliveries).toEqual([]);
    expect(await hookOf(db, scan)).toMatchObject({
      state: 'waiting',
      error: expect.stringContaining('is not set'),
    });
    await runAll();
    expect(await hookOf(db, scan)).toMatchObject({ state: 'done' });
  });

  it('that is broken off because the process stops has not been tried', async () => {
    receiver.statuses = [0];
    const scan = await ended([webhookTo(receiver.url)]);
    const job = await takeJob();
    const stop = new AbortController();
    const running = runHook(db, hookContext(queue, { signal: stop.signal }), job);
    await waitUntil('the delivery', () => receiver.deliveries.length !== 0);
    stop.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
    expect(await hookOf(db, scan)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('has nothing secret in the database', async () => {
    const scan = await ended([webhookTo(receiver.url)]);
    await runAll();
    const { rows } = await db.query<{ text: string }>(
      'select scan_hook::text as text from scan_hook where scan_id = $1',
      [scan],
    );
    expect(rows[0]!.text).toContain('TICKETS_SECRET');
    expect(rows[0]!.text).not.toContain('hush');
  });
});

describe('hooks as jobs', () => {
  it('run from the common queue and from that of a host, and permanent failures are dead letters', async () => {
    const scan = await plannedScan(db, createMemorySource({}));
    const target = '/dev/null/exports';
    const elsewhere = { kind: 'export', name: 'lake', target, format: 'jsonl', on: ['completed'] } as const;
    await db.tx((tx) => addHooks(tx, scan, [webhookTo(receiver.url), { ...elsewhere, place: 'machine-1' }]));
    await endedAs(db, scan);
    const news = new WakeSignal();
    const hook = async (job: HookJob) => {
      await runHook(db, hookContext(queue, { send: jobs.send, hostAffinity: 'machine-1' }), job);
      news.notifyAll();
    };
    const trouble = { onError: () => {}, onDeadLetter: async () => {} };
    const jobs = await startJobs(db, { hook, [hookQueue('machine-1')]: hook }, trouble);
    try {
      await db.tx((tx) => sendHooks(tx, jobs.send, scan, 'completed'));
      jobs.wake();
      const { signal } = new AbortController();
      const hooks = await waitForHooks(db, scan, { wakeSignal: news, signal, until: 'end' });
      expect(hooks.map(({ state }) => state)).toEqual(['done', 'failed']);
    } finally {
      await jobs.stop();
    }
    expect(receiver.deliveries).toHaveLength(1);
    expect(await letters(scan)).toMatchObject([{ path: 'lake', state: 'open' }]);
  });
});
