import type { Reading } from '../extraction.ts';
import type { ExtractionLimits } from '../limits.ts';
import type { Packing } from '../magic.ts';
import { partial } from '../reading.ts';
import { ByteQueue } from './byte-queue.ts';
import { bunzip2 } from './bzip2.ts';
import { Damage } from './damage.ts';
import { gunzip, gunzipWhole } from './gzip.ts';
import { unzstd, unzstdWhole } from './zstd.ts';

const decoders: Readonly<Record<Packing, (queue: ByteQueue) => AsyncGenerator<Uint8Array>>> = {
  gzip: gunzip,
  bzip2: bunzip2,
  zstd: unzstd,
};

/** null: use the stream. Nothing is decided here: damage, limits and rarities all go the one way that knows them. */
export function unpackWhole(packing: Packing, bytes: Uint8Array, most: number): Uint8Array | null {
  if (packing === 'bzip2') return null;
  return packing === 'gzip' ? gunzipWhole(bytes, most) : unzstdWhole(bytes, most);
}

/**
 * What comes out of a compressed stream, as far as it can and may. It ends early instead of throwing, so that the
 * text up to there is kept; `verdict` then knows why. Failures of the source are thrown on.
 */
export class Unpacking implements AsyncIterable<Uint8Array> {
  readonly #packing: Packing;
  readonly #input: AsyncIterator<Uint8Array>;
  readonly #limits: ExtractionLimits;
  #trouble: string | null = null;

  constructor(packing: Packing, input: AsyncIterator<Uint8Array>, limits: ExtractionLimits) {
    this.#packing = packing;
    this.#input = input;
    this.#limits = limits;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const queue = new ByteQueue(this.#input);
    const { decompressedBytes, ratio, ratioFloor } = this.#limits;
    let out = 0;
    try {
      for await (const piece of decoders[this.#packing](queue)) {
        const most = Math.min(decompressedBytes, Math.max(ratioFloor, ratio * queue.taken));
        if (out + piece.length > most) {
          this.#trouble =
            most === decompressedBytes ? 'limit: decompressed size' : 'limit: compression ratio';
          if (most > out) yield piece.subarray(0, most - out);
          return;
        }
        out += piece.length;
        yield piece;
      }
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#trouble = error.message;
    }
  }

  /** The reading of what was inside, made honest. */
  verdict(inside: Reading): Reading {
    if (this.#trouble === null || inside.state === 'skipped') return inside;
    return partial(this.#trouble, inside.format);
  }
}

/** `dump.sql.gz` holds `dump.sql`; a name that doesn't say so is kept. */
export function innerName(name: string): string {
  return name.replace(/\.t(gz|bz2?|zst)$/i, '.tar').replace(/\.(gz|gzip|bz2?|zst|zstd)$/i, '');
}
