import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RandomAccess } from '../../../document-item.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { type Layout, memory, type Tree, writeCompoundFile } from './compound-file.fixture.ts';
import { openCompoundFile } from './compound-file.ts';

const noise = (length: number, seed = 1) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 31 * seed) >> 3));

const TREE: Tree = {
  small: noise(100, 2),
  empty: new Uint8Array(0),
  almost: noise(4095, 3),
  large: noise(4096, 5),
  larger: noise(70_001, 7),
  folder: { inside: noise(64, 11), deeper: { inside: noise(9000, 13) } },
};

async function everything(stream: RandomAccess | null): Promise<Buffer> {
  if (stream === null) throw new Error('no such stream');
  const parts: Uint8Array[] = [];
  for (let at = 0; at < stream.size; at += parts.at(-1)!.length) parts.push(await stream.read(at, at + 1000));
  return Buffer.concat(parts);
}

const layouts: Layout[] = [
  {},
  { sectorBytes: 4096 },
  { scattered: true },
  { sectorBytes: 4096, scattered: true },
];

describe('compound files', () => {
  it.each(layouts)('are read in any layout: %j', async (layout) => {
    const { root, damaged } = await openCompoundFile(memory(writeCompoundFile(TREE, layout)));
    expect(damaged).toBe(false);
    expect([...root.streams.keys()].toSorted()).toEqual(['ALMOST', 'EMPTY', 'LARGE', 'LARGER', 'SMALL']);
    for (const name of ['small', 'empty', 'almost', 'large', 'larger']) {
      expect((await everything(root.stream(name))).equals(TREE[name] as Uint8Array)).toBe(true);
    }
    const inside = root.storage('Folder')?.storage('deeper')?.stream('INSIDE') ?? null;
    expect((await everything(inside)).equals(noise(9000, 13))).toBe(true);
    expect(root.stream('nothing')).toBeNull();
    expect(root.storage('nothing')).toBeNull();
  });

  it('have tables beyond what the header can list', async () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024, noise(9973));
    const { root } = await openCompoundFile(memory(writeCompoundFile({ bytes }, { scattered: true })));
    const stream = root.stream('bytes')!;
    expect(Buffer.from(await stream.read(0, stream.size)).equals(bytes)).toBe(true);
  });

  it('return any range of a stream', async () => {
    const { root } = await openCompoundFile(memory(writeCompoundFile(TREE, { scattered: true })));
    const stream = root.stream('larger')!;
    const range = fc.tuple(fc.nat(80_000), fc.nat(80_000));
    await fc.assert(
      fc.asyncProperty(range, async ([from, length]) => {
        const read = await stream.read(from, from + length);
        expect(
          noise(70_001, 7)
            .subarray(from, from + length)
            .equals(read),
        ).toBe(true);
      }),
    );
  });
});

describe('hostile compound files', () => {
  const fatAt = (file: Buffer) => (file.readUInt32LE(76) + 1) * 512;
  const entryAt = (file: Buffer, entry: number) => (file.readUInt32LE(48) + 1) * 512 + entry * 128;

  it('with a loop in the FAT are read up to it', async () => {
    const file = writeCompoundFile({ bytes: noise(5000) });
    file.writeUInt32LE(0, fatAt(file) + 4 * 3); // the fourth sector is followed by the first
    const stream = (await openCompoundFile(memory(file))).root.stream('bytes')!;
    expect((await stream.read(0, 9999)).length).toBe(4 * 512);
    await expect(stream.read(4 * 512, 9999)).rejects.toThrow('corrupt: chain of sectors');
  });

  it('assign sectors that two streams claim to one of them', async () => {
    const file = writeCompoundFile({ a: noise(5000), b: noise(6000) });
    file.writeUInt32LE(file.readUInt32LE(entryAt(file, 1) + 116), entryAt(file, 2) + 116);
    const { root } = await openCompoundFile(memory(file));
    expect((await root.stream('a')!.read(0, 9999)).length).toBe(5000);
    await expect(root.stream('b')!.read(0, 9999)).rejects.toThrow(ExtractionError);
  });

  it('with a cyclic directory terminate and report it', async () => {
    const file = writeCompoundFile({ a: noise(10), b: noise(10), c: { d: noise(10) } });
    for (let entry = 1; entry <= 4; entry++) file.writeUInt32LE(1, entryAt(file, entry) + 72);
    const { root, damaged } = await openCompoundFile(memory(file));
    expect(damaged).toBe(true);
    expect(root.streams.size).toBeGreaterThan(0);
  });

  it.each([
    [
      'a directory whose chain is a loop',
      (f: Buffer) => f.writeUInt32LE(f.readUInt32LE(48), fatAt(f) + f.readUInt32LE(48) * 4),
    ],
    ['a child that is not there', (f: Buffer) => f.writeUInt32LE(77_777, entryAt(f, 0) + 76)],
    ['an entry of no kind', (f: Buffer) => f.writeUInt8(0, entryAt(f, 1) + 66)],
    ['two entries with one name', (f: Buffer) => f.write('b', entryAt(f, 1), 'utf16le')],
  ])('are damaged by %s', async (_, damage) => {
    const file = writeCompoundFile({ a: noise(10), b: noise(10) });
    damage(file);
    expect((await openCompoundFile(memory(file))).damaged).toBe(true);
  });

  it('with a loop in the list of tables end', async () => {
    const file = writeCompoundFile({ bytes: Buffer.alloc(8 * 1024 * 1024) });
    const list = file.readUInt32LE(68);
    file.writeUInt32LE(list, (list + 2) * 512 - 4);
    await openCompoundFile(memory(file));
  });

  it('with wrong sizes return the available data', async () => {
    const file = writeCompoundFile({ bytes: noise(5000) }, { sectorBytes: 4096 });
    const at = (file.readUInt32LE(48) + 1) * 4096 + 128;
    file.writeUInt32LE(0xffffffff, at + 124);
    const stream = (await openCompoundFile(memory(file))).root.stream('bytes')!;
    expect((await stream.read(0, 2 ** 50)).length).toBe(8192);
  });

  it('have sizes of 32 bits if their sectors are small', async () => {
    const file = writeCompoundFile({ bytes: noise(5000) });
    file.writeUInt32LE(0xffffffff, entryAt(file, 1) + 124);
    expect((await openCompoundFile(memory(file))).root.stream('bytes')?.size).toBe(5000);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'corrupt: truncated compound file'],
    ['no signature', Buffer.alloc(600), 'corrupt: compound file header'],
  ])('are refused for %s', async (_, bytes, reason) => {
    await expect(openCompoundFile(memory(bytes))).rejects.toThrow(reason);
  });

  it('fail cleanly for any changed or missing bytes', { timeout: 60_000 }, async () => {
    for (const layout of layouts.slice(1, 3)) {
      const good = writeCompoundFile(TREE, layout);
      const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(change, fc.nat(good.length), fc.boolean(), async (changes, end, cut) => {
          const bad = Buffer.from(cut ? good.subarray(0, end) : good);
          for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
          const length = await totalLength(bad);
          expect(length).toBeLessThanOrEqual(bad.length + good.length);
        }),
        { numRuns: 1500 },
      );
    }
  });
});

async function totalLength(file: Buffer): Promise<number> {
  let length = 0;
  try {
    const { root } = await openCompoundFile(memory(file));
    const waiting = [root];
    for (let storage = waiting.pop(); storage !== undefined; storage = waiting.pop()) {
      waiting.push(...storage.storages.values());
      for (const stream of storage.streams.values()) {
        length += await stream.read(0, stream.size).then(({ length }) => length, refused);
      }
    }
  } catch (error) {
    return length + refused(error);
  }
  return length;
}

function refused(error: unknown): number {
  if (error instanceof ExtractionError) return 0;
  throw error;
}
