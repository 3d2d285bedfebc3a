import { crc32 } from 'node:zlib';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput, LimitExceeded, Unsupported } from '../../../extraction-error.ts';
import { ByteQueue } from '../../../formats/byte-queue.ts';
import { bunzip2 } from '../../../formats/compression/bzip2/bzip2.ts';
import { unxz } from '../../../formats/compression/xz/xz.ts';
import { unpackBlock } from '../block-codecs.ts';
import { unsnappy } from '../snappy.ts';

type Unpack = (bytes: Uint8Array, max: number, windows: WindowMemory) => Uint8Array | Promise<Uint8Array>;

const CODECS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['null', (bytes) => bytes],
  ['deflate', (bytes, max) => unpackBlock('deflate', bytes, 4 * bytes.length, max)],
  ['zstandard', (bytes, max) => unpackBlock('zstd', bytes, 4 * bytes.length, max)],
  ['snappy', unsnappyChecked],
  ['bzip2', (bytes, max) => gathered(bunzip2, bytes, max)],
  ['xz', (bytes, max, windows) => gathered((queue) => unxz(queue, windows), bytes, max)],
]);

/** The blocks of a file. All are compressed with the same codec. */
export class BlockUnpacker {
  readonly #unpack: Unpack;
  readonly #budget: ExtractionBudget;
  /** Maximum size of the chunks of one block. */
  readonly mostBlock: number;
  #taken = 0;
  #out = 0;

  constructor(codec: string, budget: ExtractionBudget) {
    const unpack = CODECS.get(codec);
    if (unpack === undefined) throw new Unsupported('Avro codec');
    this.#unpack = unpack;
    this.#budget = budget;
    this.mostBlock = budget.limits.documentMegabytes * 256 * 1024;
  }

  async unpack(bytes: Uint8Array): Promise<Uint8Array> {
    const { ratio, ratioFloor } = this.#budget.limits;
    this.#taken += bytes.length;
    const max = Math.max(ratioFloor, ratio * this.#taken) - this.#out;
    const block = await this.#unpack(bytes, Math.min(this.mostBlock, max), this.#budget.windows);
    this.#out += block.length;
    this.#budget.countDecompressed(block.length);
    this.#budget.checkRatio(this.#out, this.#taken);
    return block;
  }
}

/** Followed by a checksum of the unpacked data. */
function unsnappyChecked(bytes: Uint8Array, max: number): Uint8Array {
  if (bytes.length < 4) throw new CorruptInput('Snappy data');
  const block = unsnappy(bytes.subarray(0, -4), max);
  const sum = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0);
  if (crc32(block) !== sum) throw new CorruptInput('Avro checksum');
  return block;
}

async function gathered(
  unpack: (queue: ByteQueue) => AsyncGenerator<Uint8Array>,
  bytes: Uint8Array,
  max: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of unpack(new ByteQueue(once(bytes)))) {
    length += chunk.length;
    if (length > max) throw new LimitExceeded('compression ratio');
    chunks.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
