/** One file, read as scans read it: what came of it, and whether all was said in the right order. */
import { memoryAccess } from '../access.ts';
import { extractBytes, extractStream, type Means } from '../extract.ts';
import { Collector } from '../extraction.fixture.ts';
import type { Part, Reading } from '../extraction.ts';
import { DocumentDied } from '../isolation/isolated-documents.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../limits.ts';
import type { Chance } from './chance.fixture.ts';

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

/** Anything but an outcome is thrown. `chance`: how the bytes arrive; else all at once, and from anywhere. */
export async function attempt(
  name: string,
  bytes: Uint8Array,
  means: Means,
  chance: Chance | null = null,
): Promise<Attempt> {
  const sink = new Collector();
  const streamed = chance !== null && chance.below(2) === 0;
  const size = streamed ? chance.of([64, 1000, 65_536]) : Math.max(1, bytes.length);
  const access = streamed ? null : memoryAccess(bytes);
  const { outcome, reason } = await outcomeOf(() =>
    extractStream(name, chunked(bytes, size), sink, means, access),
  );
  extractBytes(name, bytes, new Collector());
  let length = 0;
  for (const { text, part } of sink.parts) {
    length += text.length;
    askAround(part, text);
  }
  return { outcome, reason, length, parts: sink.parts };
}

/** A reader that failed is an outcome too, though not a good one. */
export async function outcomeOf(read: () => Promise<Reading>): Promise<Pick<Attempt, 'outcome' | 'reason'>> {
  try {
    const reading = await read();
    return { outcome: reading.state, reason: reading.state === 'read' ? null : reading.reason };
  } catch (error) {
    if (!(error instanceof DocumentDied)) throw error;
    return { outcome: 'dead', reason: error.message };
  }
}

/** The process that read it crashed, hung or threw something that is no obstacle. */
export function isReaderFault({ outcome, reason }: { outcome: string; reason: string | null }): boolean {
  return outcome === 'dead' || (reason ?? '').startsWith('document reader');
}

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const QUESTIONS = 4;

/** Detection asks for the names of fields and cells: that must not fail either. */
function askAround(part: Part, text: string): void {
  const window = Buffer.from(text.slice(0, 10_000), 'latin1');
  for (let i = 0; i < QUESTIONS && window.length > 0; i++) {
    const at = Math.floor((i * window.length) / QUESTIONS);
    part.fieldAt(window, at);
    part.cellAt?.(window, at, 1 + i);
    part.origin(at);
  }
}
