import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { EVERYTHING } from '../../base/range.ts';
import { BudgetSpent } from '../../engine/budget/spent.ts';
import { SharedReaders } from '../../extraction/isolation/shared-readers.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createFsSource } from '../../sources/fs/fs-source.ts';
import { createGateLog } from '../../sources/gate.fixture.ts';
import { type Gate, OPEN_GATE } from '../../sources/gate.ts';
import { errorOf, startS3Server } from '../../sources/s3/s3-server.fixture.ts';
import type { SourceObject } from '../../sources/source.ts';
import { Lane, type Task } from './lane.ts';
import { Thread, type ThreadEvents } from './pool-thread.ts';
import type { BatchDone, ScanSetup } from './protocol.ts';
import { idleThreads } from './threads.fixture.ts';

const THREAD = new URL('./thread.ts', import.meta.url);
const never = new AbortController().signal;
let folder: string;
let objects: SourceObject[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seine-thread-'));
  for (const name of ['b', 'c']) writeFileSync(join(folder, name), 'nothing of interest\n');
  writeFileSync(join(folder, 'a'), 'a line of a large file\n'.repeat(200_000));
  for await (const batch of createFsSource(folder).list(EVERYTHING, never)) objects = batch as SourceObject[];
});
afterAll(() => rmSync(folder, { recursive: true }));

function laneOf(scan: number, gate: Gate = OPEN_GATE, setup: Partial<ScanSetup> = {}): Lane {
  return new Lane(idleThreads(), {
    scan,
    gate,
    maxRetries: 0,
    signal: never,
    answers: async () => true,
    setup: { target: folder, rules: DEFAULT_RULES, secret: Buffer.alloc(32), keepEach: 10, ...setup },
  });
}

function tasksOf(lane: Lane): Task[] {
  return objects.map((object) => ({ lane, object, done: () => {}, attempts: 1 }));
}

/** What a real thread has to say, until it has answered so many batches. */
function listenTo(batches: number) {
  const answers: BatchDone[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<BatchDone[]>();
  const events: ThreadEvents = {
    answered: (_, answer) => {
      answers.push(answer);
      if (answers.length === batches) resolve(answers);
    },
    failed: (_, error) => reject(error),
    died: (_tasks, _place, reason) => reject(new Error(reason)),
  };
  return {
    thread: new Thread(THREAD, { readsAtOnce: 4, readers: new SharedReaders(1).buffer, place: 0 }, events),
    answers: promise,
  };
}

describe('a detection thread', () => {
  it('leaves the batches of a lane alone that was closed before their turn, and goes on with others', async () => {
    const { thread, answers } = listenTo(3);
    const [closed, other] = [laneOf(1), laneOf(2)];
    thread.give(closed, tasksOf(closed)); // takes a while: the other messages come meanwhile
    thread.give(closed, tasksOf(closed));
    thread.forget(closed);
    thread.give(other, tasksOf(other));
    const [, second, third] = await answers;
    expect([second!.stopped, third!.stopped]).toEqual([[0, 1, 2], []]);
    await thread.terminate();
  });

  it('does not mix up a lane with one of the same scan that came after it', async () => {
    const { thread, answers } = listenTo(3);
    const [old, anew] = [laneOf(1), laneOf(1)];
    thread.give(old, tasksOf(old));
    thread.give(old, tasksOf(old));
    thread.forget(old);
    thread.give(anew, tasksOf(anew));
    const [, second, third] = await answers;
    expect([second!.stopped, third!.stopped]).toEqual([[0, 1, 2], []]);
    await thread.terminate();
  });

  it('asks the gate for every file of a folder, and leaves alone what may not be read any more', async () => {
    const { thread, answers } = listenTo(1);
    const gate = createGateLog((request) => {
      if (request > 2) throw new BudgetSpent('limit', 'The budget is spent.');
    });
    const lane = laneOf(1, gate);
    thread.give(lane, tasksOf(lane));
    const [answer] = await answers;
    expect(answer!.stopped).toEqual([2]);
    expect(gate.passed.map(({ bytes }) => bytes)).toEqual(objects.map(({ size }) => size));
    expect(lane.fault).toBeNull();
    await thread.terminate();
  });

  it.each([1, 2 << 20])('says that the credential is refused, of an object of %i bytes', async (size) => {
    await using server = await startS3Server(() => errorOf(400, 'ExpiredToken'));
    const { thread, answers } = listenTo(1);
    const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
    const lane = laneOf(1, OPEN_GATE, {
      target: 's3://bucket',
      settings: { endpoint: server.endpoint, credentials },
    });
    const object = { key: keyOf('a'), size, modified: null, identity: `${size.toString(36)}..tag` };
    thread.give(lane, [{ lane, object, done: () => {}, attempts: 1 }]);
    await expect(answers).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('session token'),
      hint: expect.stringContaining('Sign in again'),
      retry: true, // with a fresh one it can go on
    });
    await thread.terminate();
  });
});
