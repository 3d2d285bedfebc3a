import { memoryAccess } from './access.ts';
import { Budget } from './budget.ts';
import { dividedReading, isLastWhole, toldIfDivided } from './divided.ts';
import { type Documents, documentsHere } from './documents.ts';
import type { Reading, TextSink } from './extraction.ts';
import { Extractor, unsupported } from './extractor.ts';
import { innerName, unpackWhole } from './formats/packed/unpacking.ts';
import { type Inside, OBJECT, packedIn, textName } from './inside.ts';
import { kindOf } from './kind.ts';
import { lieOf, noted } from './lie.ts';
import { DEFAULT_LIMITS, type ExtractionLimits, syncBytes } from './limits.ts';
import type { RandomAccess, ReadingOptions } from './piece.ts';
import { HEAD_BYTES } from './reading.ts';
import { openText } from './text-intake.ts';
import type { LargeWindows } from './window-memory.ts';

/** How objects are read: what they may cost, what the rules say, and who reads documents. */
export interface Means {
  readonly limits: ExtractionLimits;
  readonly options: ReadingOptions;
  readonly documents: Documents;
  /** Called whenever the reading of an object goes on. */
  readonly alive?: () => void;
  /** If other threads read objects at the same time. */
  readonly largeWindows?: LargeWindows;
}

export const PLAIN_MEANS: Means = {
  limits: DEFAULT_LIMITS,
  options: { ocr: false },
  documents: documentsHere,
};

/**
 * An object that is wholly in memory. Plain text goes on as it is: no copy, one call of `sink.text`. Null: can't be
 * done synchronously (an archive, a document, long or damaged compressed data). The stream gives the answer, to a sink that is as new.
 */
export function extractBytes(
  name: string,
  bytes: Uint8Array,
  sink: TextSink,
  limits: ExtractionLimits = DEFAULT_LIMITS,
): Reading | null {
  return extractWhole(name, bytes, { sink, limits }, OBJECT);
}

/** An object of any size in bounded memory. Same bytes, same parts and reading, however they are cut into chunks. */
export async function extractStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: TextSink,
  means: Means = PLAIN_MEANS,
  access: RandomAccess | null = null,
): Promise<Reading> {
  const { limits, alive, options, documents, largeWindows } = means;
  const budget = new Budget(limits, undefined, alive, undefined, undefined, largeWindows);
  try {
    return await new Extractor({ sink, budget, options, documents }).extract(name, chunks, OBJECT, access);
  } finally {
    budget.windows.close();
  }
}

/** The same for an object that is wholly in memory. */
export function extractAnyBytes(
  name: string,
  bytes: Uint8Array,
  sink: TextSink,
  means: Means = PLAIN_MEANS,
): Promise<Reading> {
  const once = async function* () {
    yield bytes;
  };
  return extractStream(name, once(), sink, means, memoryAccess(bytes));
}

interface Around {
  readonly sink: TextSink;
  readonly limits: ExtractionLimits;
}

function extractWhole(name: string, bytes: Uint8Array, around: Around, inside: Inside): Reading | null {
  const { sink, limits } = around;
  const all = bytes.length <= HEAD_BYTES;
  const kind = kindOf(name, all ? bytes : bytes.subarray(0, HEAD_BYTES), all);
  if (kind.is === 'archive' || kind.is === 'document' || inside.depth >= limits.depth) return null;
  const lie = inside.depth === 0 && bytes.length > 0 ? lieOf(name, kind) : null;
  if (kind.is === 'packed') {
    const unpacked = unpackWhole(kind.packing, bytes, syncBytes(limits));
    if (unpacked === null) return null;
    const reading = extractWhole(innerName(name), unpacked, around, packedIn(inside, kind.packing));
    return reading && noted(reading, lie);
  }
  if (kind.is === 'binary') {
    if (inside.depth === 0 && isLastWhole(name, bytes)) return dividedReading;
    return toldIfDivided(name, noted(unsupported(kind.label, inside.within), lie));
  }
  const intake = openText(kind, { part: textName(inside), start: 0, sink }, limits);
  if (bytes.length > 0) intake.push(bytes);
  const reading = intake.end();
  const held = intake.takeHeld?.() ?? [];
  return held.length > 0 ? null : noted(reading, lie);
}
