/** What one object may cost. What was read before a limit is kept; the reading then is `partial`, never `read`. */
export interface ExtractionLimits {
  /** Bytes that may come out of all compressed data of an object, its insides included. */
  readonly decompressedBytes: number;
  /** Bytes out per byte in, looked at only beyond `ratioFloor`: small files of zeros are common and harmless. */
  readonly ratio: number;
  readonly ratioFloor: number;
  /** An archive in a mail in an archive is three deep; so is a gzip in a bzip2 in a zstd. */
  readonly depth: number;
  /** Members of archives and attachments, all together. */
  readonly entries: number;
  readonly mailDepth: number;
  readonly mailParts: number;
  /** Bytes of attachments that wait in memory for a reader of their own. */
  readonly heldBytes: number;
  /** Pages and slides. */
  readonly pages: number;
  /** Cells of sheets and tables, the empty ones before a value included. */
  readonly cells: number;
  /** Pictures that are read by OCR, where the rules ask for it. */
  readonly pictures: number;
  /** A document that is no stream (inside an archive, say) is kept in memory or in the scratch folder while it is read. */
  readonly documentBytes: number;
  /** In the process that reads a document: in all, and without giving anything. */
  readonly documentSeconds: number;
  readonly silentSeconds: number;
  readonly documentMegabytes: number;
}

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

export const DEFAULT_LIMITS: ExtractionLimits = {
  decompressedBytes: 64 * GiB,
  ratio: 1000,
  ratioFloor: 10 * MiB,
  depth: 8,
  entries: 1_000_000,
  mailDepth: 20,
  mailParts: 1000,
  heldBytes: 64 * MiB,
  pages: 10_000,
  cells: 2_000_000_000,
  pictures: 100,
  documentBytes: 2 * GiB,
  documentSeconds: 3600,
  silentSeconds: 60,
  documentMegabytes: 1024,
};

/**
 * The synchronous path decompresses this much at most: below it no limit can be exceeded, so both paths give the same
 * reading without the synchronous one having to look at ratios.
 */
export function syncBytes({ ratioFloor, decompressedBytes }: ExtractionLimits): number {
  return Math.min(10 * MiB, ratioFloor, decompressedBytes);
}
