import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../../budget/limits.ts';
import type { DocumentReader, RandomAccess } from '../../document-item.ts';
import { ExtractionError } from '../../extraction-error.ts';
import type { Grid } from '../../grid.ts';

export interface ReadText {
  readonly location: string | null;
  readonly columns: readonly string[] | null;
  readonly firstRow: number;
  readonly text: string;
}

export interface Collected {
  readonly texts: readonly ReadText[];
  /** null: all was read. */
  readonly error: string | null;
  /** Of the longest chunk. */
  readonly longest: number;
}

/** Collects everything a reader yields. Errors other than ExtractionError are rethrown, because they are defects. */
export async function collect(
  read: DocumentReader,
  bytes: Uint8Array,
  limits: Partial<ExtractionLimits> = {},
): Promise<Collected> {
  const texts: { location: string | null; grid: Grid | undefined; parts: Buffer[] }[] = [];
  let extractionError: string | null = null;
  let longest = 0;
  try {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, ...limits });
    for await (const item of read(inMemory(bytes), budget, { ocr: false })) {
      if (item.is !== 'text') throw new Error('data files have no entries');
      if (item.text.length === 0) throw new Error('an empty piece');
      const last = texts.at(-1);
      if (last && last.grid === item.grid && last.location === item.location)
        last.parts.push(Buffer.from(item.text));
      else texts.push({ location: item.location, grid: item.grid, parts: [Buffer.from(item.text)] });
      longest = Math.max(longest, item.text.length);
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    extractionError = error.message;
  }
  return { texts: texts.map(readText), error: extractionError, longest };
}

function readText(one: { location: string | null; grid: Grid | undefined; parts: Buffer[] }): ReadText {
  const text = Buffer.concat(one.parts).toString('utf8');
  return {
    location: one.location,
    columns: one.grid?.columns ?? null,
    firstRow: one.grid?.firstRow ?? 0,
    text,
  };
}

/** A reader that fails on requests outside of the data. */
export function inMemory(bytes: Uint8Array): RandomAccess {
  return {
    size: bytes.length,
    read: async (from, to) => {
      if (!(from >= 0 && from <= to && to <= bytes.length)) throw new Error(`asked for ${from} to ${to}`);
      return bytes.slice(from, to);
    },
  };
}

/** The same changes for the same number: a few bytes are others than they were. */
export function mutated(good: Uint8Array, seed: number): Uint8Array {
  const bytes = Uint8Array.from(good);
  let state = seed * 2654435761 + 1;
  const below = (count: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  for (let left = 1 + below(4); left > 0; left--) {
    const at = below(bytes.length);
    bytes[at] = [0, 1, 0x7f, 0x80, 0xff, bytes[at]! ^ (1 << below(8)), below(256)][below(7)]!;
  }
  return bytes;
}
