import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { BudgetExhausted } from '../../engine/budget/budget-exhausted.ts';
import { SharedReaders } from '../../extraction/isolation/shared-readers.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createFsSource } from '../../sources/fs/fs-source.ts';
import { createRequestGateLog } from '../../sources/request-gate.fixture.ts';
import { type RequestGate, UNLIMITED_GATE } from '../../sources/request-gate.ts';
import { errorOf, startS3Server } from '../../sources/s3/s3-server.fixture.ts';
import type { SourceObject } from '../../sources/source.ts';
import { idlePool } from './idle-pool.fixture.ts';
import { DetectionThread, type ThreadEvents } from './pool-thread.ts';
import type { BatchDone, ScanSetup } from './protocol.ts';
import { ScanQueue, type Task } from './scan-queue.ts';

const THREAD = new URL('./thread.ts', import.meta.url);
const never = new AbortController().signal;
let folder: string;
let objects: SourceObject[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seine-thread-'));
  for (const name of ['b', 'c']) writeFileSync(join(folder, name), 'nothing of interest\n');
  writeFileSync(join(folder, 'a'), 'a line of a large file\n'.repeat(200_000));
  for await (const batch of createFsSource(folder).list(FULL_RANGE, never)) objects = batch as SourceObject[];
});
afterAll(() => rmSync(folder, { recursive: true }));

function openQueue(
  scan: number,
  gate: RequestGate = UNLIMITED_GATE,
  setup: Partial<ScanSetup> = {},
): ScanQueue {
  return new ScanQueue(idlePool(), {
    scan,
    gate,
    maxRetries: 0,
    signal: never,
    isSourceReachable: async () => true,
    setup: {
      target: folder,
      rules: DEFAULT_RULES,
      secret: Buffer.alloc(32),
      maxFindingsPerType: 10,
      ...setup,
    },
  });
}

function allTasks(): Task[] {
  return objects.map((object) => ({ object, done: () => {}, attempts: 1 }));
}

/** Collects the messages of a real thread until it has answered this many batches. */
function listenTo(batches: number) {
  const answers: BatchDone[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<BatchDone[]>();
  const events: ThreadEvents = {
    answered: (_, answer) => {
      answers.push(answer);
      if (answers.length === batches) resolve(answers);
    },
    failed: (_, error) => reject(error),
    died: (_batches, _index, reason) => reject(new Error(reason)),
  };
  return {
    thread: new DetectionThread(
      THREAD,
      { readsAtOnce: 4, readers: new SharedReaders(1).buffer, place: 0 },
      events,
    ),
    answers: promise,
  };
}

describe('a detection thread', () => {
  it('skips the batches of a queue that was closed before their turn, and continues with others', async () => {
    const { thread, answers } = listenTo(3);
    const [closed, other] = [openQueue(1), openQueue(2)];
    thread.sendBatch(closed, allTasks()); // takes a while: the other messages arrive meanwhile
    thread.sendBatch(closed, allTasks());
    thread.closeScan(closed);
    thread.sendBatch(other, allTasks());
    const [, second, third] = await answers;
    expect([second!.stopped, third!.stopped]).toEqual([[0, 1, 2], []]);
    await thread.terminate();
  });

  it('distinguishes a queue from a later one of the same scan', async () => {
    const { thread, answers } = listenTo(3);
    const [old, anew] = [openQueue(1), openQueue(1)];
    thread.sendBatch(old, allTasks());
    thread.sendBatch(old, allTasks());
    thread.closeScan(old);
    thread.sendBatch(anew, allTasks());
    const [, second, third] = await answers;
    expect([second!.stopped, third!.stopped]).toEqual([[0, 1, 2], []]);
    await thread.terminate();
  });

  it('asks the gate for every file of a folder, and skips files when it is closed', async () => {
    const { thread, answers } = listenTo(1);
    const gate = createRequestGateLog((request) => {
      if (request > 2) throw new BudgetExhausted('limit', 'The budget is spent.');
    });
    const queue = openQueue(1, gate);
    thread.sendBatch(queue, allTasks());
    const [answer] = await answers;
    expect(answer!.stopped).toEqual([2]);
    expect(gate.passed.map(({ bytes }) => bytes)).toEqual(objects.map(({ size }) => size));
    expect(queue.fault).toBeNull();
    await thread.terminate();
  });

  it.each([1, 2 << 20])('reports a rejected credential, for an object of %i bytes', async (size) => {
    await using server = await startS3Server(() => errorOf(400, 'ExpiredToken'));
    const { thread, answers } = listenTo(1);
    const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
    const queue = openQueue(1, UNLIMITED_GATE, {
      target: 's3://bucket',
      settings: { endpoint: server.endpoint, credentials },
    });
    const object = { key: keyOf('a'), size, modified: null, identity: `${size.toString(36)}..tag` };
    thread.sendBatch(queue, [{ object, done: () => {}, attempts: 1 }]);
    await expect(answers).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('session token'),
      hint: expect.stringContaining('Sign in again'),
      retry: true, // it can continue with a fresh one
    });
    await thread.terminate();
  });
});
