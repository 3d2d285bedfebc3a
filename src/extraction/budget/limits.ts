/** The limits of one object. What was read before a limit is kept; the result then is `partial`, never `read`. */
export interface ExtractionLimits {
  /** Total output of all decompression in an object, nested content included. */
  readonly decompressedBytes: number;
  /** Bytes out per byte in, tested only above `ratioFloor`: small files of zeros are common and harmless. */
  readonly ratio: number;
  readonly ratioFloor: number;
  /** Bytes of text per byte of the object, tested only above `textFloor`: limits the expansion of repeated references. */
  readonly textRatio: number;
  readonly textFloor: number;
  /** CPU time for extracting an object and scanning its text: these seconds, and more per megabyte. */
  readonly seconds: number;
  readonly secondsPerMegabyte: number;
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
  /** Cells of sheets and tables, empty ones that are written included. */
  readonly cells: number;
  /** Maximum number of pictures for OCR, where the rules enable it. */
  readonly pictures: number;
  /** Of memory for windows, dictionaries and models of compressed data, of all layers that are unpacked at the same time. */
  readonly windowBytes: number;
  /**
   * Maximum size of a document that is not seekable (inside an archive, for instance) and must be spooled to memory or to the scratch
   * folder.
   */
  readonly documentBytes: number;
  /** In the reader process: in total, and without output. */
  readonly documentSeconds: number;
  readonly silentSeconds: number;
  /** Beyond what Node itself needs. All processes together have a budget of their own: `worker.memory`. */
  readonly documentMegabytes: number;
}

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

export const DEFAULT_LIMITS: ExtractionLimits = {
  decompressedBytes: 64 * GiB,
  ratio: 1000,
  ratioFloor: 10 * MiB,
  textRatio: 1000,
  textFloor: 256 * MiB,
  seconds: 15,
  secondsPerMegabyte: 1,
  depth: 8,
  entries: 1_000_000,
  mailDepth: 20,
  mailParts: 1000,
  heldBytes: 64 * MiB,
  pages: 10_000,
  cells: 2_000_000_000,
  pictures: 100,
  windowBytes: 256 * MiB,
  documentBytes: 2 * GiB,
  documentSeconds: 3600,
  silentSeconds: 60,
  documentMegabytes: 512,
};

/**
 * Maximum output of the synchronous path: below it no limit can be exceeded, so both paths give the same result without the synchronous
 * one having to test ratios.
 */
export function maxSyncBytes({ ratioFloor, decompressedBytes }: ExtractionLimits): number {
  return Math.min(10 * MiB, ratioFloor, decompressedBytes);
}
