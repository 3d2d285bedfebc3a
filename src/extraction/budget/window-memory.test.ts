import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SharedReaders } from '../isolation/shared-readers.ts';
import { ExtractionBudget } from './extraction-budget.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { WindowMemory } from './window-memory.ts';

const MiB = 1024 * 1024;
const OWN = 72 * MiB;
const MAX_COUNT = 256 * MiB;

describe('the memory of windows', () => {
  it('is one limit for all of them', async () => {
    const memory = new WindowMemory(1000);
    const [one, other] = [memory.createWindow(), memory.createWindow()];
    expect(await one.grow(600)).toBe(true);
    expect(await other.grow(401)).toBe(false);
    expect(await other.grow(400)).toBe(true);
    expect(await one.grow(500)).toBe(true); // it has more already
    expect(memory.left).toBe(0);
    one.release();
    one.release();
    expect(memory.left).toBe(600);
    expect(await other.grow(1000)).toBe(true);
  });

  it('is counted in steps, and exactly where that is too much', async () => {
    const memory = new WindowMemory(MiB);
    const window = memory.createWindow();
    await window.cover(1, MiB);
    expect(MiB - memory.left).toBe(65_536);
    await window.cover(65_537, MiB);
    expect(MiB - memory.left).toBe(131_072);
    await window.cover(600_000, MiB);
    await window.cover(800_000, 900_000);
    expect(MiB - memory.left).toBe(900_000);
    await window.cover(MiB, 2 * MiB);
    expect(memory.left).toBe(0);
    await expect(window.cover(MiB + 1, 2 * MiB)).rejects.toThrow('limit: dictionary');
  });

  it('is not granted twice to an object and its documents', async () => {
    const budget = new ExtractionBudget();
    await budget.windows.createWindow().grow(100 * MiB);
    expect(budget.documentLimits(false)).toMatchObject({
      windowBytes: DEFAULT_LIMITS.windowBytes - 100 * MiB,
      documentMegabytes: 320,
    });
    expect(new ExtractionBudget().documentLimits(false)).toMatchObject({
      windowBytes: DEFAULT_LIMITS.windowBytes,
      documentMegabytes: DEFAULT_LIMITS.documentMegabytes,
    });
  });
});

describe('the memory of windows of several threads', () => {
  it('is large for one at a time; others wait for it and go on then', async () => {
    const readers = new SharedReaders(2);
    let looks = 0;
    const [one, other] = [0, 1].map(
      (thread) => new WindowMemory(MAX_COUNT, readers.share(thread).largeWindows, () => looks++),
    );
    expect(await one!.createWindow().grow(OWN + 1)).toBe(true);
    expect(await other!.createWindow().grow(OWN)).toBe(true);
    const waiting = other!.createWindow().grow(1);
    expect(await Promise.race([waiting, sleep(120, 'waits')])).toBe('waits');
    expect(await one!.createWindow().grow(MAX_COUNT - OWN - 1)).toBe(true); // its holder never waits
    expect(looks).toBeGreaterThan(1);
    one!.close();
    expect(await waiting).toBe(true);
  });

  it('is free again when the thread that had it has ended', async () => {
    const readers = new SharedReaders(2);
    expect(readers.share(1).largeWindows.tryAcquire()).toBe(true);
    expect(readers.share(0).largeWindows.tryAcquire()).toBe(false);
    readers.clear(0);
    expect(readers.share(0).largeWindows.tryAcquire()).toBe(false);
    readers.clear(1);
    expect(readers.share(0).largeWindows.tryAcquire()).toBe(true);
    expect(readers.all()).toEqual([]);
  });

  it('does not wait for itself from object to object', async () => {
    const { largeWindows } = new SharedReaders(2).share(1);
    for (let object = 0; object < 3; object++) {
      const memory = new WindowMemory(MAX_COUNT, largeWindows);
      await memory.createWindow().grow(MAX_COUNT);
      memory.close();
      memory.close();
    }
    expect(largeWindows.tryAcquire()).toBe(true);
  });
});
