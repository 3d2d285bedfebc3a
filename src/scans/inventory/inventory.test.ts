import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import type { SourceObject } from '../../sources/source.ts';
import { Block, BlockWriter, InventoryHash } from './inventory.ts';

const hash = new InventoryHash(Buffer.alloc(32, 1));
const object = (name: string, identity = 'v1'): SourceObject => ({
  key: keyOf(name),
  size: 1,
  modified: null,
  identity,
});

function blockOf(
  objects: readonly SourceObject[],
  flagged: (object: SourceObject) => boolean = () => false,
): Block {
  const writer = new BlockWriter();
  for (const one of objects) writer.add(hash.of(one), flagged(one) ? 'has a row' : 'clean');
  return new Block((objects.at(-1)?.key ?? '') as Key, writer.bytes()!);
}

describe('an inventory block', () => {
  it('contains what was added, and whether the object has a row', () => {
    const objects = ['a', 'b', 'c'].map((name) => object(name));
    const block = blockOf(objects, (one) => one.key === 'b');
    expect(objects.map((one) => block.find(hash.of(one)))).toEqual(['clean', 'has a row', 'clean']);
  });

  it('takes a changed identity for changed, and a new key for new', () => {
    const block = blockOf([object('a'), object('b')]);
    expect(block.find(hash.of(object('a', 'v2')))).toBeNull();
    expect(block.find(hash.of(object('aa')))).toBeNull();
    expect(block.find(hash.of(object('b')))).toBe('clean');
  });

  it('takes sixteen bytes an object', () => {
    const writer = new BlockWriter();
    for (let i = 0; i < 1000; i++) writer.add(hash.of(object(`f${i}`)), 'clean');
    expect(writer.bytes()).toHaveLength(16_000);
  });

  it('finds exactly the unchanged objects of any later listing', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 });
    const fates = fc.infiniteStream(fc.constantFrom('same', 'changed', 'gone'));
    fc.assert(
      fc.property(names, names, fates, (before, added, fate) => {
        const block = blockOf(before.map((name) => object(name)).sort((a, b) => (a.key < b.key ? -1 : 1)));
        const later = new Map(before.map((name) => [name, fate.next().value as string]));
        for (const name of added) if (!later.has(name)) later.set(name, 'new');
        const listing = [...later]
          .filter(([, f]) => f !== 'gone')
          .sort(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1));
        for (const [name, f] of listing) {
          expect(block.find(hash.of(object(name, f === 'changed' ? 'v2' : 'v1')))).toBe(
            f === 'same' ? 'clean' : null,
          );
        }
      }),
    );
  });

  it('depends on every byte of the secret', () => {
    const block = blockOf([object('a')]);
    for (let at = 0; at < 32; at++) {
      const other = Buffer.alloc(32, 1);
      other[at] = 2;
      expect(block.find(new InventoryHash(other).of(object('a')))).toBeNull();
    }
  });
});

describe('the hash', () => {
  it('spreads: a hundred thousand similar objects give as many entries', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 100_000; i++) seen.add(hash.of(object(`folder/file-${i}.txt`, 'same')).join());
    expect(seen.size).toBe(100_000);
  });

  it('gives different halves even to nearly equal texts', () => {
    const a = [...hash.of(object('a', 'size=1 mtime=1'))];
    const b = [...hash.of(object('a', 'size=1 mtime=2'))];
    expect(a.slice(0, 2)).toEqual(b.slice(0, 2));
    expect(a[2]).not.toBe(b[2]);
    expect(a[3]).not.toBe(b[3]);
  });
});
