import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { encodeLzma } from '../../formats/compression/lzma/lzma.fixture.ts';
import { contentsOf } from '../entries.fixture.ts';
import { inMemory } from '../memory.fixture.ts';
import { LZMA, type SevenZipCoder, type SevenZipFolder } from './seven-zip.fixture.ts';
import { read7z } from './seven-zip.ts';

export const read = (bytes: Uint8Array, limits = DEFAULT_LIMITS) =>
  contentsOf(read7z(inMemory(bytes), new ExtractionBudget(limits)), 2e7);
export const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * i) % 977}\n`).join('');
export const files = [
  { name: 'a.txt', data: 'one' },
  { name: 'dir/ünï.txt', data: lines },
  { name: 'c', data: 'three' },
];
export const expected = files.map(({ name, data }) => ({ name, text: data }));
export const all = Buffer.from(files.map(({ data }) => data).join(''));
export const solid = (
  coders: readonly SevenZipCoder[],
  pack: (bytes: Buffer) => Uint8Array,
): SevenZipFolder => ({
  coders,
  packed: pack(all),
  files,
});
export const compressedLzma = solid([LZMA], (bytes) => encodeLzma(bytes, undefined, false));
export const header = { coders: [LZMA], pack: (bytes: Uint8Array) => encodeLzma(bytes, undefined, false) };
