import { ExtractionBudget } from './budget/extraction-budget.ts';
import { DEFAULT_LIMITS, type ExtractionLimits, maxSyncBytes } from './budget/limits.ts';
import type { LargeWindows } from './budget/window-memory.ts';
import type { RandomAccess, ReadingOptions } from './document-item.ts';
import { type DocumentReaders, inProcessReaders } from './document-readers.ts';
import { compressedPath, type EmbeddedPath, ROOT_PATH, textName } from './embedded-path.ts';
import type { ExtractionResult, TextSink } from './extraction.ts';
import { Extractor, unsupported } from './extractor.ts';
import { decompressSync, innerName } from './formats/compression/decompressor.ts';
import { memoryAccess } from './input/random-access.ts';
import { isLastVolumeBytes, markMultiVolume, multiVolumeResult } from './multi-volume.ts';
import { HEAD_BYTES } from './push-parser.ts';
import { sniffType } from './sniff/sniff.ts';
import { findTypeMismatch, withTypeMismatch } from './sniff/type-mismatch.ts';
import { createTextParser } from './text-parser.ts';

/** Options of extraction: limits, the rules' options, and the document readers. */
export interface ExtractionOptions {
  readonly limits: ExtractionLimits;
  readonly options: ReadingOptions;
  readonly documents: DocumentReaders;
  /** Called whenever the extraction of an object makes progress. */
  readonly onProgress?: () => void;
  /** If other threads read objects at the same time. */
  readonly largeWindows?: LargeWindows;
}

export const DEFAULT_EXTRACTION_OPTIONS: ExtractionOptions = {
  limits: DEFAULT_LIMITS,
  options: { ocr: false },
  documents: inProcessReaders,
};

/**
 * Extracts an object that is completely in memory. Plain text is passed through: no copy, one call of `sink.text`. Returns null if it
 * can't be done synchronously (an archive, a document, long or damaged compressed data); then `extractStream` must be used, with a new
 * sink.
 */
export function extractBytes(
  name: string,
  bytes: Uint8Array,
  sink: TextSink,
  limits: ExtractionLimits = DEFAULT_LIMITS,
): ExtractionResult | null {
  return extractSync(name, bytes, { sink, limits }, ROOT_PATH);
}

/** Extracts an object of any size in bounded memory. The result does not depend on how the bytes are divided into chunks. */
export async function extractStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: TextSink,
  extractionOptions: ExtractionOptions = DEFAULT_EXTRACTION_OPTIONS,
  access: RandomAccess | null = null,
): Promise<ExtractionResult> {
  const { limits, onProgress, options, documents, largeWindows } = extractionOptions;
  const budget = new ExtractionBudget(limits, undefined, onProgress, undefined, undefined, largeWindows);
  try {
    return await new Extractor({ sink, budget, options, documents }).extract(name, chunks, ROOT_PATH, access);
  } finally {
    budget.windows.close();
  }
}

/** The same for an object that is wholly in memory. */
export function extractBytesAsync(
  name: string,
  bytes: Uint8Array,
  sink: TextSink,
  extractionOptions: ExtractionOptions = DEFAULT_EXTRACTION_OPTIONS,
): Promise<ExtractionResult> {
  const once = async function* () {
    yield bytes;
  };
  return extractStream(name, once(), sink, extractionOptions, memoryAccess(bytes));
}

interface SyncContext {
  readonly sink: TextSink;
  readonly limits: ExtractionLimits;
}

function extractSync(
  name: string,
  bytes: Uint8Array,
  context: SyncContext,
  path: EmbeddedPath,
): ExtractionResult | null {
  const { sink, limits } = context;
  const all = bytes.length <= HEAD_BYTES;
  const type = sniffType(name, all ? bytes : bytes.subarray(0, HEAD_BYTES), all);
  if (type.is === 'archive' || type.is === 'document' || path.depth >= limits.depth) return null;
  const typeMismatch = path.depth === 0 && bytes.length > 0 ? findTypeMismatch(name, type) : null;
  if (type.is === 'compressed') {
    const decompressed = decompressSync(type.compression, bytes, maxSyncBytes(limits));
    if (decompressed === null) return null;
    const result = extractSync(
      innerName(name),
      decompressed,
      context,
      compressedPath(path, type.compression),
    );
    return result && withTypeMismatch(result, typeMismatch);
  }
  if (type.is === 'binary') {
    if (path.depth === 0 && isLastVolumeBytes(name, bytes)) return multiVolumeResult;
    return markMultiVolume(name, withTypeMismatch(unsupported(type.label, path.compressions), typeMismatch));
  }
  const parser = createTextParser(type, { part: textName(path), start: 0, sink }, limits);
  if (bytes.length > 0) parser.push(bytes);
  const result = parser.end();
  const attachments = parser.takeAttachments?.() ?? [];
  return attachments.length > 0 ? null : withTypeMismatch(result, typeMismatch);
}
