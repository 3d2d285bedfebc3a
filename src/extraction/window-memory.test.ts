import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { SharedReaders } from './isolation/shared-readers.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { WindowMemory } from './window-memory.ts';

const MiB = 1024 * 1024;
const OWN = 72 * MiB;
const MOST = 256 * MiB;

describe('the memory of windows', () => {
  it('is one limit for all of them', async () => {
    const memory = new WindowMemory(1000);
    const [one, other] = [memory.window(), memory.window()];
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
    const window = memory.window();
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

  it('is not given twice to an object and its documents', async () => {
    const budget = new Budget();
    await budget.windows.window().grow(100 * MiB);
    expect(budget.limitsOfDocument(false)).toMatchObject({
      windowBytes: DEFAULT_LIMITS.windowBytes - 100 * MiB,
      documentMegabytes: 320,
    });
    expect(new Budget().limitsOfDocument(false)).toMatchObject({
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
      (thread) => new WindowMemory(MOST, readers.share(thread).largeWindows, () => looks++),
    );
    expect(await one!.window().grow(OWN + 1)).toBe(true);
    expect(await other!.window().grow(OWN)).toBe(true);
    const waiting = other!.window().grow(1);
    expect(await Promise.race([waiting, sleep(120, 'waits')])).toBe('waits');
    expect(await one!.window().grow(MOST - OWN - 1)).toBe(true); // who has it never waits
    expect(looks).toBeGreaterThan(1);
    one!.close();
    expect(await waiting).toBe(true);
  });

  it('is free again when the thread that had it has ended', async () => {
    const readers = new SharedReaders(2);
    expect(readers.share(1).largeWindows.take()).toBe(true);
    expect(readers.share(0).largeWindows.take()).toBe(false);
    readers.clear(0);
    expect(readers.share(0).largeWindows.take()).toBe(false);
    readers.clear(1);
    expect(readers.share(0).largeWindows.take()).toBe(true);
    expect(readers.all()).toEqual([]);
  });

  it('does not wait for itself from object to object', async () => {
    const { largeWindows } = new SharedReaders(2).share(1);
    for (let object = 0; object < 3; object++) {
      const memory = new WindowMemory(MOST, largeWindows);
      await memory.window().grow(MOST);
      memory.close();
      memory.close();
    }
    expect(largeWindows.take()).toBe(true);
  });
});
