import type { ExtractionResult, FormatName, TextSink } from './extraction.ts';

/** Takes the bytes of one thing as they come and says at the end what became of it. */
export interface PushParser {
  /** The first push must bring more than HEAD_BYTES, or everything: kinds and headers are decided on it. */
  push(bytes: Uint8Array): void;
  end(): ExtractionResult;
  /** What was inside and is not read in passing, in order. Taken while no text is open, and after `end`. */
  takeAttachments?(): readonly BufferedAttachment[];
  /** A text has begun and not ended: what is held must wait. */
  readonly open?: boolean;
}

/** An attachment that needs a reader of its own. */
export interface BufferedAttachment {
  readonly name: string;
  readonly bytes: readonly Uint8Array[];
}

/** Where a text stands: the part's name, and where in the object it begins. */
export interface PartTarget {
  readonly part: string | null;
  readonly start: number;
  readonly sink: TextSink;
}

/** So much is looked at before anything is decided, however the bytes arrive. */
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

// Whatever stops extraction lies in the bytes themselves; failures of the source are thrown, never turned into a reading.
export function partialResult(reason: string, format: FormatName): ExtractionResult {
  return { state: 'partial', reason, format, stable: true };
}

export function skippedResult(reason: string): ExtractionResult {
  return { state: 'skipped', reason, stable: true };
}
