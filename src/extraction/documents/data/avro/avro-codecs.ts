import { crc32 } from 'node:zlib';
import type { Budget } from '../../../budget.ts';
import { ByteQueue } from '../../../formats/byte-queue.ts';
import { bunzip2 } from '../../../formats/packed/bzip2.ts';
import { unxz } from '../../../formats/packed/xz.ts';
import { Damage, Limit, Unsupported } from '../../../obstacle.ts';
import type { WindowMemory } from '../../../window-memory.ts';
import { unpackBlock } from '../block-codecs.ts';
import { unsnappy } from '../snappy.ts';

type Unpack = (bytes: Uint8Array, most: number, windows: WindowMemory) => Uint8Array | Promise<Uint8Array>;

const CODECS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['null', (bytes) => bytes],
  ['deflate', (bytes, most) => unpackBlock('deflate', bytes, 4 * bytes.length, most)],
  ['zstandard', (bytes, most) => unpackBlock('zstd', bytes, 4 * bytes.length, most)],
  ['snappy', unsnappyChecked],
  ['bzip2', (bytes, most) => gathered(bunzip2, bytes, most)],
  ['xz', (bytes, most, windows) => gathered((queue) => unxz(queue, windows), bytes, most)],
]);

/** The blocks of a file, which all are compressed the same way. */
export class BlockUnpacker {
  readonly #unpack: Unpack;
  readonly #budget: Budget;
  /** More than that is not held at a time. */
  readonly mostBlock: number;
  #taken = 0;
  #out = 0;

  constructor(codec: string, budget: Budget) {
    const unpack = CODECS.get(codec);
    if (unpack === undefined) throw new Unsupported('Avro codec');
    this.#unpack = unpack;
    this.#budget = budget;
    this.mostBlock = budget.limits.documentMegabytes * 256 * 1024;
  }

  async unpack(bytes: Uint8Array): Promise<Uint8Array> {
    const { ratio, ratioFloor } = this.#budget.limits;
    this.#taken += bytes.length;
    const most = Math.max(ratioFloor, ratio * this.#taken) - this.#out;
    const block = await this.#unpack(bytes, Math.min(this.mostBlock, most), this.#budget.windows);
    this.#out += block.length;
    this.#budget.unpacked(block.length);
    this.#budget.ratio(this.#out, this.#taken);
    return block;
  }
}

/** A checksum of what must come out follows. */
function unsnappyChecked(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length < 4) throw new Damage('Snappy data');
  const block = unsnappy(bytes.subarray(0, -4), most);
  const sum = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0);
  if (crc32(block) !== sum) throw new Damage('Avro checksum');
  return block;
}

async function gathered(
  unpack: (queue: ByteQueue) => AsyncGenerator<Uint8Array>,
  bytes: Uint8Array,
  most: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of unpack(new ByteQueue(once(bytes)))) {
    length += piece.length;
    if (length > most) throw new Limit('compression ratio');
    pieces.push(Uint8Array.from(piece));
  }
  return Buffer.concat(pieces);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
