import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { UNLIMITED_GATE } from '../../sources/request-gate.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import { idlePool } from './idle-pool.fixture.ts';
import { ScanQueue, type ScanQueueOptions, type Task } from './scan-queue.ts';

const setup = { target: 'any', rules: DEFAULT_RULES, secret: Buffer.alloc(32), maxFindingsPerType: 10 };
const UNREADABLE: Inspection = { ...notRead('skipped', 'read-failed', false), transient: true };
const never = new AbortController().signal;

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.02); // short pauses between the attempts
});
afterEach(() => {
  vi.restoreAllMocks();
});

function openQueue(overrides: Partial<ScanQueueOptions> & { readonly room?: number } = {}) {
  const { room, ...options } = overrides;
  return new ScanQueue(idlePool(room), {
    scan: 1,
    setup,
    gate: UNLIMITED_GATE,
    maxRetries: 2,
    signal: never,
    isSourceReachable: async () => true,
    ...options,
  });
}

function taskOf(scanQueue: ScanQueue, name: string): Task {
  scanQueue.submit({ key: keyOf(name), size: 1, modified: null, identity: '' }, () => {});
  return scanQueue.nextBatch()[0]!;
}

describe('a queue', () => {
  it('lets any number of callers wait for room, for as long as it takes', async () => {
    const scanQueue = openQueue({ room: 0 });
    const waiting = Array.from({ length: 50_000 }, () => scanQueue.waitForRoom(never));
    scanQueue.fail(new SeineError('unavailable', 'gone'));
    expect(await Promise.all(waiting)).toHaveLength(50_000);
  });

  it('keeps no listener for an object that was retried', async () => {
    const stop = new AbortController();
    const scanQueue = openQueue({ signal: stop.signal });
    for (let turn = 0; turn < 3; turn++) {
      scanQueue.completeTask(taskOf(scanQueue, 'throttled'), UNREADABLE);
      await waitUntil('the object to be due again', () => scanQueue.hasBatch);
      scanQueue.nextBatch();
    }
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  it('probes the source once for all objects that fail at the same time', async () => {
    const requests: ((there: boolean) => void)[] = [];
    const scanQueue = openQueue({
      isSourceReachable: () => new Promise((resolve) => requests.push(resolve)),
    });
    const fail = (name: string) => scanQueue.completeTask(taskOf(scanQueue, name), UNREADABLE);
    for (let i = 0; i < 64; i++) fail(`object ${i}`);
    expect(requests).toHaveLength(1);
    requests[0]!(true);
    await new Promise((resolve) => setImmediate(resolve));
    fail('later');
    expect(requests).toHaveLength(2);
  });
});
