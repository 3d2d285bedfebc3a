import type { OverlapLoser, Scanner, SpanBatch, TextContext } from './spans.ts';

export interface Found {
  readonly detector: number;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly confidence: number;
  readonly reported: boolean;
  readonly base: number;
  readonly reasons: number;
  readonly field: string | null;
  readonly contested: readonly OverlapLoser[] | null;
}

export const NO_FIELDS: TextContext = { fieldAt: () => null };

/** Scans a text in chunks of these sizes, in turn, and copies the results, because the next call reuses the arrays. */
export function scanText(
  scanner: Scanner,
  text: string | Uint8Array,
  { sizes = [], context = NO_FIELDS, offset = 0 }: ScanTextOptions = {},
): Found[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const found: Found[] = [];
  scanner.begin(context, (spans) => copy(spans, found), offset);
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes.length === 0 ? bytes.length : sizes[n % sizes.length]!;
    scanner.push(bytes.subarray(at, at + size));
    at += size;
  }
  scanner.end();
  return found;
}

interface ScanTextOptions {
  readonly sizes?: readonly number[];
  readonly context?: TextContext;
  readonly offset?: number;
}

function copy(batch: SpanBatch, into: Found[]): void {
  for (let n = 0; n < batch.count; n++) {
    const [at, length] = [batch.at[n]!, batch.length[n]!];
    into.push({
      detector: batch.detector[n]!,
      value: Buffer.from(batch.window.subarray(at, at + length)).toString('latin1'),
      start: batch.start[n]!,
      end: batch.end[n]!,
      line: batch.line[n]!,
      column: batch.column[n]!,
      confidence: batch.confidence[n]!,
      reported: batch.reported[n] === 1,
      base: batch.base[n]!,
      reasons: batch.reasons[n]!,
      field: batch.field[n]!,
      contested: batch.overlapped[n] ?? null,
    });
  }
}
