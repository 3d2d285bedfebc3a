/** What one object may cost. What was read before a limit is kept; the reading then is `partial`, never `read`. */
export interface ExtractionLimits {
  /** Bytes that may come out of one compressed stream. */
  readonly decompressedBytes: number;
  /** Bytes out per byte in, looked at only beyond `ratioFloor`: small files of zeros are common and harmless. */
  readonly ratio: number;
  readonly ratioFloor: number;
  /** A gzip in a bzip2 in a zstd is three deep. */
  readonly packingDepth: number;
  readonly mailDepth: number;
  readonly mailParts: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: ExtractionLimits = {
  decompressedBytes: 2048 * MiB,
  ratio: 1000,
  ratioFloor: 10 * MiB,
  packingDepth: 3,
  mailDepth: 20,
  mailParts: 1000,
};

/**
 * The synchronous path decompresses this much at most. It is the ratio's floor on purpose: below it no ratio can be
 * exceeded, so both paths give the same reading without the synchronous one having to look at ratios.
 */
export const SYNC_DECOMPRESSED_BYTES: number = DEFAULT_LIMITS.ratioFloor;
