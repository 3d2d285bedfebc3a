import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { WindowMemory } from '../../budget/window-memory.ts';
import type { ExtractionResult } from '../../extraction.ts';
import { ExtractionError } from '../../extraction-error.ts';
import { partialResult, skippedResult } from '../../push-parser.ts';
import type { Compression } from '../../sniff/magic.ts';
import { ByteQueue } from '../byte-queue.ts';
import { bunzip2 } from './bzip2/bzip2.ts';
import { gunzip, gunzipBuffer } from './deflate/gzip.ts';
import { unlzma } from './lzma/lzma.ts';
import { unxz } from './xz/xz.ts';
import { unzstd, unzstdBuffer } from './zstd/zstd.ts';

type Decoder = (queue: ByteQueue, windows: WindowMemory) => AsyncGenerator<Uint8Array>;

const decoders: Readonly<Record<Compression, Decoder>> = {
  gzip: gunzip,
  bzip2: bunzip2,
  zstd: unzstd,
  xz: unxz,
  lzma: unlzma,
};

/** Returns null if the stream must be used: damage, limits and rare cases are only handled there. */
export function decompressSync(compression: Compression, bytes: Uint8Array, max: number): Uint8Array | null {
  if (compression === 'gzip') return gunzipBuffer(bytes, max);
  return compression === 'zstd' ? unzstdBuffer(bytes, max) : null;
}

/**
 * The output of a compressed stream, as far as valid and within limits. It ends early instead of throwing, so that the text up to there
 * is kept; `finish` then adds the reason. Errors of the source are rethrown.
 */
export class Decompressor implements AsyncIterable<Uint8Array> {
  readonly #compression: Compression;
  readonly #input: AsyncIterator<Uint8Array>;
  readonly #budget: ExtractionBudget;
  #firstError: string | null = null;
  #out = 0;

  constructor(compression: Compression, input: AsyncIterator<Uint8Array>, budget: ExtractionBudget) {
    this.#compression = compression;
    this.#input = input;
    this.#budget = budget;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const queue = new ByteQueue(this.#input);
    const { limits, usage } = this.#budget;
    try {
      for await (const chunk of decoders[this.#compression](queue, this.#budget.windows)) {
        const left = limits.decompressedBytes - usage.decompressed;
        const max = Math.min(left, Math.max(limits.ratioFloor, limits.ratio * queue.taken) - this.#out);
        if (chunk.length > max) {
          this.#firstError = max === left ? 'limit: decompressed size' : 'limit: compression ratio';
          if (max > 0) yield chunk.subarray(0, max);
          return;
        }
        this.#budget.countDecompressed(chunk.length);
        this.#out += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      this.#firstError = error.message;
    }
  }

  /** The result of the content, combined with the decompression error, if any. */
  finish(result: ExtractionResult): ExtractionResult {
    if (this.#firstError === null || result.state === 'skipped') return result;
    const refused = this.#out === 0 && this.#firstError.startsWith('unsupported');
    return refused ? skippedResult(this.#firstError) : partialResult(this.#firstError, result.format);
  }
}

/** `dump.sql.gz` contains `dump.sql`; a name without such an extension is kept. */
export function innerName(name: string): string {
  return name.replace(/\.t(gz|bz2?|zst|xz|lz)$/i, '.tar').replace(/\.(gz|gzip|bz2?|zst|zstd|xz|lzma)$/i, '');
}
