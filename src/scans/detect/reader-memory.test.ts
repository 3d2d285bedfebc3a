import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type MemoryMeter, memoryFor, ReaderMemoryLimiter } from './reader-memory.ts';

const MB = 1024 * 1024;
let memory: ReaderMemoryLimiter;
afterEach(() => memory.stop());

/** Simulates processes with these sizes in megabytes, and records which are killed. */
function metered(budget: number, main: number, sizes: Record<number, number>) {
  const killed: number[] = [];
  const meter: MemoryMeter = {
    ofThisProcess: () => main * MB,
    of: (pid) => (sizes[pid] ?? 0) * MB,
    kill: (pid) => {
      killed.push(pid);
      delete sizes[pid];
    },
  };
  memory = new ReaderMemoryLimiter(4, budget, meter);
  return killed;
}

function started(thread: number, pid: number, busy: boolean) {
  const share = memory.readers.share(thread);
  share.started(pid);
  share.busy(busy);
  return share;
}

describe('the memory of all processes together', () => {
  it('within the budget is not touched', () => {
    const killed = metered(1000, 400, { 11: 300, 12: 100 });
    started(0, 11, true);
    started(1, 12, true);
    memory.enforce();
    expect(killed).toEqual([]);
    expect(memory.readers.isShort).toBe(false);
  });

  it('beyond the budget ends idle readers first', () => {
    const killed = metered(1000, 400, { 11: 500, 12: 60, 13: 100 });
    started(0, 11, true);
    started(1, 12, false);
    started(2, 13, true);
    memory.enforce();
    expect(killed).toEqual([12]);
  });

  it('then busy ones, largest first, until it fits', () => {
    const killed = metered(1000, 400, { 11: 200, 12: 500, 13: 300 });
    const evicted = started(0, 11, true);
    const largest = started(1, 12, true);
    started(2, 13, true);
    memory.enforce();
    expect(killed).toEqual([13, 11]);
    expect(evicted.wasEvicted(11)).toBe(true);
    expect(largest.wasEvicted(12)).toBe(false);
  });

  it('never ends the last one, which has its own ceiling', () => {
    const killed = metered(1000, 900, { 11: 500 });
    started(0, 11, true);
    memory.enforce();
    expect(killed).toEqual([]);
  });

  it('ends also the last one while another thread has large windows, and its document waits for those', async () => {
    const sizes = { 11: 500, 12: 100 };
    const killed = metered(1000, 600, sizes);
    const reader = started(0, 11, true);
    const { largeWindows } = started(1, 12, true);
    expect(largeWindows.tryAcquire()).toBe(true);
    memory.enforce();
    expect(killed).toEqual([11]);
    expect(reader.wasEvicted(11)).toBe(true);
    reader.busy(false);
    memory.enforce();
    let isWaiting = true;
    let checks = 0;
    const room = reader.room(() => checks++).then(() => (isWaiting = false));
    await waitUntil('three checks for room', () => checks >= 3);
    expect(isWaiting).toBe(true);
    largeWindows.release();
    await room;
    largeWindows.tryAcquire();
    await reader.room(() => expect.unreachable()); // it was not killed again
  });

  it('that is short lets a document wait while another is read', async () => {
    const sizes = { 11: 500 };
    metered(1000, 400, sizes);
    const first = started(0, 11, true);
    const second = memory.readers.share(1);
    memory.enforce();
    let waited = 0;
    await second.room(() => {
      if (++waited === 2) first.busy(false);
    });
    expect(waited).toBe(2);
    await second.room(() => expect.unreachable('nothing is read meanwhile'));
  });

  it('is forgotten with its thread', () => {
    metered(1000, 400, {});
    started(0, 11, true);
    memory.readers.clear(0);
    expect(memory.readers.all()).toEqual([]);
  });

  it('grows with the threads unless it is set', () => {
    metered(1000, 0, {});
    expect(memoryFor(2)).toBe(896);
    expect(memoryFor(4)).toBe(1408);
  });
});
