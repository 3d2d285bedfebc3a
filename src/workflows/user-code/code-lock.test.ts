import { describe, expect, it } from 'vitest';
import { CodeLock } from './code-lock.ts';

const LONG = 1e9;

describe('the lock of user code', () => {
  it('is shared by any number', async () => {
    const lock = new CodeLock();
    expect(await lock.acquire('shared', 0)).not.toBeNull();
    expect(await lock.acquire('shared', 0)).not.toBeNull();
  });

  it('is held exclusively by one, when it is not shared', async () => {
    const lock = new CodeLock();
    const release = (await lock.acquire('shared'))!;
    expect(await lock.acquire('exclusive', 0)).toBeNull();
    release();
    expect(await lock.acquire('exclusive', 0)).not.toBeNull();
    expect(await lock.acquire('shared', 0)).toBeNull();
    expect(await lock.acquire('exclusive', 0)).toBeNull();
  });

  it('is granted in the order of the requests', async () => {
    const lock = new CodeLock();
    const order: string[] = [];
    const first = (await lock.acquire('shared'))!;
    const exclusive = lock.hold('exclusive', async () => order.push('exclusive'), LONG);
    const shared = lock.hold('shared', async () => order.push('shared'), LONG);
    expect([lock.isContended, order]).toEqual([true, []]);
    first();
    await Promise.all([exclusive, shared]);
    expect([lock.isContended, order]).toEqual([false, ['exclusive', 'shared']]);
  });

  it('is free for those behind one who gives up', async () => {
    const lock = new CodeLock();
    await lock.acquire('shared');
    const exclusive = lock.acquire('exclusive', 5);
    const shared = lock.acquire('shared');
    expect(await exclusive).toBeNull();
    expect(await shared).not.toBeNull();
  });

  it('is released once, however often that is said', async () => {
    const lock = new CodeLock();
    const release = (await lock.acquire('exclusive'))!;
    release();
    const second = await lock.acquire('exclusive', 0);
    release();
    expect(await lock.acquire('exclusive', 0)).toBeNull();
    second!();
  });

  it('is released when the work fails', async () => {
    const lock = new CodeLock();
    await expect(lock.hold('exclusive', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock.acquire('exclusive', 0)).not.toBeNull();
  });
});
