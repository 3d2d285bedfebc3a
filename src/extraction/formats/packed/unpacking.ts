import type { Budget } from '../../budget.ts';
import type { Reading } from '../../extraction.ts';
import type { Packing } from '../../magic.ts';
import { Obstacle } from '../../obstacle.ts';
import { partial, skipped } from '../../reading.ts';
import type { WindowMemory } from '../../window-memory.ts';
import { ByteQueue } from '../byte-queue.ts';
import { bunzip2 } from './bzip2.ts';
import { gunzip, gunzipWhole } from './gzip.ts';
import { unlzma } from './lzma.ts';
import { unxz } from './xz.ts';
import { unzstd, unzstdWhole } from './zstd.ts';

type Decoder = (queue: ByteQueue, windows: WindowMemory) => AsyncGenerator<Uint8Array>;

const decoders: Readonly<Record<Packing, Decoder>> = {
  gzip: gunzip,
  bzip2: bunzip2,
  zstd: unzstd,
  xz: unxz,
  lzma: unlzma,
};

/** null: use the stream. Nothing is decided here: damage, limits and rarities all go the one way that knows them. */
export function unpackWhole(packing: Packing, bytes: Uint8Array, most: number): Uint8Array | null {
  if (packing === 'gzip') return gunzipWhole(bytes, most);
  return packing === 'zstd' ? unzstdWhole(bytes, most) : null;
}

/**
 * What comes out of a compressed stream, as far as it can and may. It ends early instead of throwing, so that the
 * text up to there is kept; `verdict` then knows why. Failures of the source are thrown on.
 */
export class Unpacking implements AsyncIterable<Uint8Array> {
  readonly #packing: Packing;
  readonly #input: AsyncIterator<Uint8Array>;
  readonly #budget: Budget;
  #trouble: string | null = null;
  #out = 0;

  constructor(packing: Packing, input: AsyncIterator<Uint8Array>, budget: Budget) {
    this.#packing = packing;
    this.#input = input;
    this.#budget = budget;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const queue = new ByteQueue(this.#input);
    const { limits, spent } = this.#budget;
    try {
      for await (const piece of decoders[this.#packing](queue, this.#budget.windows)) {
        const left = limits.decompressedBytes - spent.unpacked;
        const most = Math.min(left, Math.max(limits.ratioFloor, limits.ratio * queue.taken) - this.#out);
        if (piece.length > most) {
          this.#trouble = most === left ? 'limit: decompressed size' : 'limit: compression ratio';
          if (most > 0) yield piece.subarray(0, most);
          return;
        }
        this.#budget.unpacked(piece.length);
        this.#out += piece.length;
        yield piece;
      }
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      this.#trouble = error.message;
    }
  }

  /** The reading of what was inside, made honest. */
  verdict(inside: Reading): Reading {
    if (this.#trouble === null || inside.state === 'skipped') return inside;
    const refused = this.#out === 0 && this.#trouble.startsWith('unsupported');
    return refused ? skipped(this.#trouble) : partial(this.#trouble, inside.format);
  }
}

/** `dump.sql.gz` holds `dump.sql`; a name that doesn't say so is kept. */
export function innerName(name: string): string {
  return name.replace(/\.t(gz|bz2?|zst|xz|lz)$/i, '.tar').replace(/\.(gz|gzip|bz2?|zst|zstd|xz|lzma)$/i, '');
}
