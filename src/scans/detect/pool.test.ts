import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { BudgetExhausted } from '../../engine/budget/budget-exhausted.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { type RequestGate, UNLIMITED_GATE } from '../../sources/request-gate.ts';
import type { Inspection } from '../results/inspection.ts';
import { DetectionPool } from './pool.ts';
import type { ScanQueue } from './scan-queue.ts';

const file = new URL('../../../test/support/fragile-thread.mjs', import.meta.url);
const setup = { target: 'any', rules: DEFAULT_RULES, secret: Buffer.alloc(32), maxFindingsPerType: 10 };
let threads: DetectionPool;
let pool: ScanQueue;
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.02); // short pauses between the attempts
});
afterEach(async () => {
  vi.restoreAllMocks();
  await threads.stop();
});

function open(count: number, more: QueueOverrides & { readonly stallMs?: number } = {}): void {
  threads = new DetectionPool(count, { file, stallMs: more.stallMs ?? 60_000 });
  pool = scanQueue(1, more);
}

interface QueueOverrides {
  readonly target?: string;
  readonly gate?: RequestGate;
  readonly isSourceReachable?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
}

function scanQueue(
  scan: number,
  {
    target = 'any',
    gate = UNLIMITED_GATE,
    isSourceReachable = async () => true,
    signal = new AbortController().signal,
  }: QueueOverrides = {},
): ScanQueue {
  return threads.openQueue({
    scan,
    gate,
    maxRetries: 2,
    signal,
    isSourceReachable,
    setup: { ...setup, target },
  });
}

function inspectAll(names: readonly string[], through = pool): Promise<Map<string, Inspection>> {
  const seen = new Map<string, Inspection>();
  return new Promise((resolve) => {
    for (const name of names) {
      through.submit({ key: keyOf(name), size: 10, modified: null, identity: '' }, (inspection) => {
        seen.set(name, inspection);
        if (seen.size === names.length) resolve(seen);
      });
    }
    through.flush();
  });
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `file ${i}`);

describe('the detection pool', () => {
  it('answers for every object, whatever the number of threads', async () => {
    open(3);
    expect((await inspectAll(names(1000))).size).toBe(1000);
  });

  it('starts no more threads than there is work for', async () => {
    open(3);
    await inspectAll(['file 1', 'file 2']);
    await inspectAll(['file 3']);
    expect(threads.running).toBe(1);
    await inspectAll(names(200));
    expect(threads.running).toBe(3);
  });

  it('is busy while it has twice its read concurrency, for any concurrency', async () => {
    threads = new DetectionPool(1, { file, readsAtOnce: 2 });
    pool = scanQueue(1);
    const all = inspectAll(names(3));
    expect(threads.busy).toBe(false);
    const more = inspectAll(['one more']);
    expect(threads.busy).toBe(true);
    await Promise.all([all, more]);
    expect(threads.busy).toBe(false);
  });

  it('survives an object that crashes its thread: that one fails, all others are scanned', async () => {
    open(2);
    const seen = await inspectAll([...names(100), 'crash here', ...names(200).slice(100)]);
    expect(seen.get('crash here')).toMatchObject({
      outcome: 'dead',
      reason: 'detection-crashed: out of memory',
      stable: false,
    });
    expect([...seen.values()].filter((inspection) => inspection.outcome === 'scanned')).toHaveLength(200);
  });

  it('ends a thread that makes no progress, and attributes it to the object it was processing', async () => {
    open(1, { stallMs: 500 });
    const seen = await inspectAll([...names(5), 'hang on']);
    expect(seen.get('hang on')).toMatchObject({ outcome: 'dead', reason: 'detection-stalled' });
    expect(seen.get('file 4')).toMatchObject({ outcome: 'scanned' });
  });

  it('does not end a thread that loads slowly', async () => {
    process.env.SLOW_THREADS_MS = '700';
    open(1, { stallMs: 200 });
    const all = inspectAll(names(5));
    delete process.env.SLOW_THREADS_MS;
    expect((await all).get('file 4')).toMatchObject({ outcome: 'scanned' });
    expect(pool.fault).toBeNull();
  });

  it('makes callers wait when it is full, and lets them continue', async () => {
    open(1);
    let done = 0;
    let waited = 0;
    for (const name of names(2000)) {
      pool.submit({ key: keyOf(name), size: 1, modified: null, identity: '' }, () => done++);
      if (!pool.full) continue;
      waited++;
      await pool.waitForRoom(new AbortController().signal);
    }
    expect(waited).toBeGreaterThan(0);
    await waitUntil('all objects', () => {
      pool.flush();
      return done === 2000;
    });
  });

  it('starts no new objects while many findings are unwritten, unless the first object is still queued', async () => {
    open(1);
    await pool.ready();
    pool.addUnwritten(30_000);
    let done = 0;
    for (const name of names(3))
      pool.submit({ key: keyOf(name), size: 1 << 20, modified: null, identity: '' }, () => done++);
    pool.flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(0);
    pool.forceDispatch();
    await waitUntil('the dispatched object', () => done !== 0);
    expect(done).toBe(1);
    pool.markWritten(30_000);
    await waitUntil('the other objects', () => done >= 3);
  });

  it('reports when threads cannot start', async () => {
    process.env.BREAK_THREADS = 'yes';
    open(1);
    pool.submit({ key: keyOf('x'), size: 1, modified: null, identity: '' }, () => {});
    pool.flush();
    delete process.env.BREAK_THREADS;
    await waitUntil('the fault of the pool', () => pool.fault !== null);
    expect(pool.fault?.message).toContain('a module is missing');
  });

  it('is not ready when threads cannot start', async () => {
    process.env.BREAK_THREADS = 'yes';
    open(2);
    const ready = pool.ready();
    delete process.env.BREAK_THREADS;
    await expect(ready).rejects.toThrow('a module is missing');
    await expect(pool.ready()).rejects.toThrow('a module is missing');
  });

  it('continues with its threads when no more can be created', async () => {
    const changing = new URL(file);
    threads = new DetectionPool(3, { file: changing });
    pool = scanQueue(1);
    await pool.ready();
    changing.href = 'http://nowhere/'; // creating a thread from it throws at once
    const seen = await inspectAll([...names(300), 'file 300']);
    expect(seen.size).toBe(301);
    expect([threads.running, pool.fault]).toEqual([1, null]);
  });

  it('reports when not a single thread can be created, also to replace a crashed one', async () => {
    const changing = new URL('http://nowhere/');
    threads = new DetectionPool(1, { file: changing });
    await expect(scanQueue(1).ready()).rejects.toThrow("Detection threads can't start");
    await threads.stop();
    changing.href = file.href;
    threads = new DetectionPool(1, { file: changing });
    pool = scanQueue(1);
    await pool.ready();
    changing.href = 'http://nowhere/';
    pool.submit({ key: keyOf('crash here'), size: 1, modified: null, identity: '' }, () => {});
    pool.flush();
    await waitUntil('the fault of the pool', () => pool.fault !== null);
    expect(pool.fault?.message).toContain("Detection threads can't start");
  });

  it('serves several scans, each with its own setup', async () => {
    open(2);
    const other = scanQueue(2);
    const [mine, theirs] = await Promise.all([inspectAll(names(500)), inspectAll(names(500), other)]);
    expect([mine.size, theirs.size]).toEqual([500, 500]);
  });

  it('retries an object that cannot be read for now, and then fails it', async () => {
    open(1);
    const seen = await inspectAll(['file 1', 'transient 2 soon well', 'transient 99 never']);
    expect(seen.get('transient 2 soon well')).toMatchObject({ outcome: 'scanned' });
    expect(seen.get('transient 99 never')).toMatchObject({
      outcome: 'dead',
      reason: 'read-failed',
      evidence: { error: 'the disk has a scratch', attempts: 3 },
    });
  });

  it('does not count failures of an object during an outage of its source', async () => {
    let away = 2;
    open(1, { isSourceReachable: async () => away-- <= 0 });
    const seen = await inspectAll(['transient 4 in the end well']); // two failures of its own are allowed
    expect(seen.get('transient 4 in the end well')).toMatchObject({ outcome: 'scanned' });
  });

  it('reports the error of a source of a scan, and continues with other scans', async () => {
    open(1);
    const broken = scanQueue(2, { target: 'gone' });
    broken.submit({ key: keyOf('x'), size: 1, modified: null, identity: '' }, () => {});
    broken.flush();
    await waitUntil('the fault of the pool', () => broken.fault !== null);
    expect(broken.fault).toMatchObject({ kind: 'unavailable', message: 'the share is away' });
    expect((await inspectAll(names(10))).size).toBe(10);
    expect(pool.fault).toBeNull();
  });

  it('asks the gate of the scan, and skips objects when it is closed', async () => {
    const requests: number[] = [];
    const gate: RequestGate = {
      async admit(_kind, bytes) {
        requests.push(bytes);
        if (requests.length > 3) throw new BudgetExhausted('limit', 'The budget is spent.');
      },
      throttled() {},
    };
    open(1, { gate });
    let done = 0;
    for (let i = 0; i < 6; i++)
      pool.submit({ key: keyOf(`gated ${i}`), size: 100 + i, modified: null, identity: '' }, () => done++);
    pool.flush();
    await waitUntil('six requests', () => requests.length >= 6);
    await inspectAll(['file 1'], scanQueue(2));
    expect(done).toBe(3);
    expect(requests).toEqual([100, 101, 102, 103, 104, 105]);
    expect(pool.fault).toBeNull();
  });

  it.each([
    ['a deadlock', new Error('deadlock detected'), { kind: 'internal', message: 'deadlock detected' }],
    [
      'a full disk',
      new SeineError('limit', 'The disk of the database is full.'),
      { kind: 'limit', message: 'The disk of the database is full.' },
    ],
  ])('fails the queue when the gate fails for another reason, such as %s', async (_, error, fault) => {
    const gate: RequestGate = { admit: () => Promise.reject(error), throttled() {} };
    open(1, { gate });
    pool.submit({ key: keyOf('gated'), size: 1, modified: null, identity: '' }, () => {});
    pool.flush();
    await inspectAll(['file 1'], scanQueue(2)); // behind it in the same thread
    expect(pool.fault).toMatchObject(fault);
  });

  it('ignores the error of the gate for a queue that was stopped', async () => {
    const stop = new AbortController();
    const requests = Promise.withResolvers<void>();
    const admit: RequestGate['admit'] = (_kind, _bytes, signal) => {
      requests.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    open(1, { gate: { admit, throttled() {} }, signal: stop.signal });
    pool.submit({ key: keyOf('gated'), size: 1, modified: null, identity: '' }, () => {});
    pool.flush();
    await requests.promise;
    stop.abort();
    await inspectAll(['file 1'], scanQueue(2));
    expect(pool.fault).toBeNull();
  });
});
