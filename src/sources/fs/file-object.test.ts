import { type BigIntStats, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { fileObject, identityOf, isListedAs, lstatEntry } from './file-object.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-sparse-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GiB = 2n ** 30n;
const real = (() => {
  writeFileSync(join(folder, 'a.txt'), 'text');
  return lstatEntry(join(folder, 'a.txt'))!;
})();

/** The stats of a file of this size with this many allocated bytes. */
function objectOf(size: bigint, allocated: bigint) {
  const stats: BigIntStats = Object.assign(Object.create(real), { size, blocks: allocated / 512n });
  return fileObject(keyOf('a.txt'), stats, Number.POSITIVE_INFINITY);
}

describe('a sparse file', () => {
  it('is read completely while its holes are small', () => {
    for (const [size, allocated] of [
      [0n, 0n],
      [100n * GiB, 100n * GiB],
      [60n * GiB, 0n],
      [1000n * GiB, 20n * GiB], // fully allocated, on a file system that compresses
    ] as const)
      expect(objectOf(size, allocated)).not.toHaveProperty('readTo');
  });

  it('is read in proportion to its allocated size', () => {
    expect(objectOf(2n ** 50n, 0n).readTo).toBe(Number(64n * GiB));
    expect(objectOf(2n ** 60n, GiB).readTo).toBe(Number(128n * GiB));
    expect(objectOf(2n ** 63n - 1n, 4096n).readTo).toBe(Number(64n * GiB) + 64 * 4096);
  });

  it('is recognised by the allocated blocks of a real file', () => {
    const path = join(folder, 'sparse.txt');
    writeFileSync(path, 'text');
    truncateSync(path, 2 ** 40);
    const { size, readTo } = fileObject(keyOf('sparse.txt'), lstatEntry(path)!, Number.POSITIVE_INFINITY);
    expect(size).toBe(2 ** 40);
    expect(readTo).toBeLessThan(2 ** 37);
  });
});

describe('the identity of a file', () => {
  const like = (change: Partial<BigIntStats>): BigIntStats => Object.assign(Object.create(real), change);

  it('does not depend on where and when its file system was mounted', () => {
    expect(identityOf(like({ dev: real.dev + 1n }))).toBe(identityOf(real));
    expect(identityOf(like({ ino: real.ino + 1n }))).toBe(identityOf(real));
  });

  it.each<keyof BigIntStats>(['size', 'mtimeNs', 'ctimeNs'])('changes with the %s', (field) => {
    expect(identityOf(like({ [field]: (real[field] as bigint) + 1n }))).not.toBe(identityOf(real));
  });

  it('is accepted in the format of an earlier version, with inode and device', () => {
    expect(isListedAs(`${identityOf(real)}.3k.2s`, real)).toBe(true);
    expect(isListedAs(`${identityOf(real)}0`, real)).toBe(false);
  });
});
