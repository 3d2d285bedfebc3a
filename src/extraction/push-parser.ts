import type { ExtractionResult, FormatName, TextSink } from './extraction.ts';

/** Receives the bytes of one input in chunks and returns the result at the end. */
export interface PushParser {
  /** The first push must bring more than HEAD_BYTES, or everything: kinds and headers are decided on it. */
  push(bytes: Uint8Array): void;
  end(): ExtractionResult;
  /** Attachments that are not read while streaming, in order. Taken while no text is open, and after `end`. */
  takeAttachments?(): readonly BufferedAttachment[];
  /** A text has begun and not ended: buffered attachments must wait. */
  readonly open?: boolean;
}

/** An attachment that is not text and needs its own reader. */
export interface BufferedAttachment {
  readonly name: string;
  readonly bytes: readonly Uint8Array[];
}

/** The location of a text: the part's name, and its offset in the object. */
export interface PartTarget {
  readonly part: string | null;
  readonly start: number;
  readonly sink: TextSink;
}

/** How much is examined before the type is decided, for any chunking. */
export const HEAD_BYTES = 64 * 1024;

const readResults = new Map<FormatName, ExtractionResult>();

/** Shared objects: most files end here. */
export function readResult(format: FormatName): ExtractionResult {
  const known = readResults.get(format);
  if (known !== undefined) return known;
  const result: ExtractionResult = { state: 'read', format };
  readResults.set(format, result);
  return result;
}

// Errors in the bytes end extraction with a result; errors of the source are thrown, never turned into a result.
export function partialResult(reason: string, format: FormatName): ExtractionResult {
  return { state: 'partial', reason, format, stable: true };
}

export function skippedResult(reason: string): ExtractionResult {
  return { state: 'skipped', reason, stable: true };
}
