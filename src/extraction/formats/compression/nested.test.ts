import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../archives/zip/zip.fixture.ts';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { inProcessReaders } from '../../document-readers.ts';
import { viaStream } from '../../extraction.fixture.ts';
import { Extractor } from '../../extractor.ts';
import { encodeSymbols } from './lzma/lzma.fixture.ts';
import { xzStored, zstdRaw } from './nested.fixture.ts';
import { xzOf } from './xz/xz.fixture.ts';

const MiB = 1024 * 1024;
const text = (length: number) => Buffer.alloc(length, 'nothing to see here\n');
const layers = {
  xz: xzStored,
  zst: (data: Uint8Array) => zstdRaw(data),
  zip: (data: Uint8Array) => zipOf([{ name: 'a.txt', data }]),
};
type Layer = keyof typeof layers;

/** `kinds`: from the inside out. */
const nested = (data: Uint8Array, kinds: readonly Layer[]) =>
  kinds.reduce<Uint8Array>((inner, kind) => layers[kind](inner), data);
const nameOf = (kinds: readonly Layer[]) => ['a.txt', ...kinds].join('.');
const limited = (windowBytes: number) => ({ ...DEFAULT_LIMITS, windowBytes });

/** The length of the text, the maximum total size of all windows, and the memory still reserved afterwards. */
async function measured(name: string, compressed: Uint8Array, windowBytes = DEFAULT_LIMITS.windowBytes) {
  const budget = new ExtractionBudget(limited(windowBytes));
  const seen = { length: 0, peak: 0 };
  const sink = {
    begin() {},
    text(bytes: Uint8Array) {
      seen.length += bytes.length;
      seen.peak = Math.max(seen.peak, windowBytes - budget.windows.left);
    },
    end() {},
  };
  const once = async function* () {
    yield compressed;
  };
  const extractor = new Extractor({ sink, budget, options: { ocr: false }, documents: inProcessReaders });
  const result = await extractor.extract(name, once());
  return { result, ...seen, left: budget.windows.left };
}

describe('compression in compression', () => {
  const depths = Array.from({ length: 8 }, (_, i) => i + 1);

  it.each(depths)('%i times zstd is read as far as the windows of all of them have room', async (depth) => {
    const kinds = Array.from({ length: depth }, (): Layer => 'zst');
    const compressed = nested(text(MiB), kinds);
    const enough = await viaStream(nameOf(kinds), compressed, [65_536], limited(depth * 2 * MiB));
    expect(enough.result).toEqual({ state: 'read', format: 'text' });
    const short = await viaStream(nameOf(kinds), compressed, [65_536], limited((depth * MiB) / 2));
    expect(short.result).toMatchObject({ state: 'partial', reason: 'limit: dictionary' });
    expect(text(MiB).toString().startsWith(short.parts[0]!.text)).toBe(true);
    expect(short.parts[0]!.text.length).toBeGreaterThan(100_000);
  });

  it('an xz dictionary beyond the limit grows only as needed, and data that needs less is read', async () => {
    const kinds: readonly Layer[] = Array.from({ length: 8 }, () => 'xz');
    const { result, length, peak } = await measured(nameOf(kinds), nested(text(3 * MiB), kinds), 2 * MiB);
    expect([result, length]).toEqual([{ state: 'read', format: 'text' }, 3 * MiB]);
    expect(peak).toBeLessThanOrEqual(2 * MiB);
    expect(peak).toBeGreaterThan(MiB);
  });

  it('a match beyond the available memory ends it', async () => {
    const letters = Uint8Array.from({ length: 400_000 }, (_, i) => 97 + ((i * 37 + (i >> 8)) % 26));
    const [compressed, data] = encodeSymbols(Buffer.from(letters), [[390_000, 200]]);
    const file = xzOf([{ data, compressed }]);
    expect((await viaStream('a.txt.xz', file)).result).toEqual({ state: 'read', format: 'text' });
    const { result, parts } = await viaStream('a.txt.xz', file, [4096], limited(128 * 1024));
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: dictionary' });
    expect(parts[0]!.text === Buffer.from(letters).toString()).toBe(true);
  });

  it('in any order, complete or truncated, stays within the limit and releases all memory', async () => {
    const kind = fc.constantFrom<Layer>('xz', 'zst', 'zip');
    const kinds = fc.array(kind, { minLength: 1, maxLength: 8 });
    const eighths = fc.integer({ min: 1, max: 24 });
    const cut = fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(kinds, eighths, cut, async (order, count, share) => {
        const max = (count * MiB) / 8;
        const compressed = nested(text(MiB), order);
        const bytes = compressed.subarray(0, Math.ceil(share * compressed.length));
        const { result, length, peak, left } = await measured(nameOf(order), bytes, max);
        expect(peak).toBeLessThanOrEqual(max);
        expect(left).toBe(max);
        if (result.state === 'read') expect([length, bytes.length]).toEqual([MiB, compressed.length]);
      }),
      { numRuns: 60 },
    );
  });

  it('has as much memory by default for any depth', async () => {
    const kinds: readonly Layer[] = Array.from({ length: 4 }, () => 'zst');
    const { result, peak } = await measured(nameOf(kinds), nested(text(70 * MiB), kinds));
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: dictionary' });
    expect(peak).toBeLessThanOrEqual(256 * MiB);
  });
});

describe('one large window', () => {
  it.each(['xz', 'zst'] as const)('of %s is read, as the engine can', async (kind) => {
    const { result, length, peak, left } = await measured(`a.txt.${kind}`, nested(text(140 * MiB), [kind]));
    expect([result, length]).toEqual([{ state: 'read', format: 'text' }, 140 * MiB]);
    expect(peak).toBeLessThanOrEqual((kind === 'zst' ? 128 : 256) * MiB);
    expect(peak).toBeGreaterThanOrEqual(128 * MiB);
    expect(left).toBe(DEFAULT_LIMITS.windowBytes);
  });
});
