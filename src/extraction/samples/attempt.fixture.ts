/** Reads one file as a scan does: returns the result, and checks the order of the sink's calls. */

import { DEFAULT_LIMITS, type ExtractionLimits } from '../budget/limits.ts';
import { type ExtractionOptions, extractBytes, extractStream } from '../extract.ts';
import { Collector } from '../extraction.fixture.ts';
import type { ExtractionResult, TextPart } from '../extraction.ts';
import { memoryAccess } from '../input/random-access.ts';
import { ReaderCrashed } from '../isolation/isolated-readers.ts';
import type { SeededRandom } from './seeded-random.fixture.ts';

export const LIMITS: ExtractionLimits = {
  ...DEFAULT_LIMITS,
  decompressedBytes: 50_000_000,
  entries: 200_000,
  silentSeconds: 10,
  documentMegabytes: 400,
};

export interface Attempt {
  readonly outcome: 'read' | 'partial' | 'skipped' | 'dead';
  readonly reason: string | null;
  /** Bytes of text in all. */
  readonly length: number;
  readonly parts: Collector['parts'];
}

/** Throws errors that are not part of a result. `chance`: random chunking; else all at once, with random access. */
export async function attempt(
  name: string,
  bytes: Uint8Array,
  options: ExtractionOptions,
  random: SeededRandom | null = null,
): Promise<Attempt> {
  const sink = new Collector();
  const streamed = random !== null && random.below(2) === 0;
  const size = streamed ? random.of([64, 1000, 65_536]) : Math.max(1, bytes.length);
  const access = streamed ? null : memoryAccess(bytes);
  const { outcome, reason } = await outcomeOf(() =>
    extractStream(name, chunked(bytes, size), sink, options, access),
  );
  extractBytes(name, bytes, new Collector());
  let length = 0;
  for (const { text, part } of sink.parts) {
    length += text.length;
    askAround(part, text);
  }
  return { outcome, reason, length, parts: sink.parts };
}

/** A failed reader is a result too. */
export async function outcomeOf(
  read: () => Promise<ExtractionResult>,
): Promise<Pick<Attempt, 'outcome' | 'reason'>> {
  try {
    const result = await read();
    return { outcome: result.state, reason: result.state === 'read' ? null : result.reason };
  } catch (error) {
    if (!(error instanceof ReaderCrashed)) throw error;
    return { outcome: 'dead', reason: error.message };
  }
}

/** The process that read it crashed, hung or threw an error other than an ExtractionError. */
export function isReaderFault({ outcome, reason }: { outcome: string; reason: string | null }): boolean {
  return outcome === 'dead' || (reason ?? '').startsWith('document reader');
}

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const QUESTIONS = 4;

/** Queries the names of fields and cells as detection does, which must not fail either. */
function askAround(part: TextPart, text: string): void {
  const window = Buffer.from(text.slice(0, 10_000), 'latin1');
  for (let i = 0; i < QUESTIONS && window.length > 0; i++) {
    const at = Math.floor((i * window.length) / QUESTIONS);
    part.fieldAt(window, at);
    part.cellAt?.(window, at, 1 + i);
    part.sourceOffset(at);
  }
}
