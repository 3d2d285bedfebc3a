import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Budget } from '../budget.ts';
import { ByteQueue } from '../formats/byte-queue.ts';
import { bunzip2 } from '../formats/bzip2.ts';
import { CHUNK_SIZE, inflate } from '../formats/inflation.ts';
import { decodeLzma } from '../formats/lzma.ts';
import { DeltaFilter, filtered, X86Filter } from '../formats/lzma-filters.ts';
import { dictionarySize, unlzma2 } from '../formats/lzma2.ts';
import { Damage, Encrypted, Obstacle, Unsupported } from '../obstacle.ts';
import type { Coder, Folder, Method, Stretch } from './seven-zip-streams.ts';

/** What comes out of a folder, file after file. A file that nobody reads is unpacked only if a later one is read. */
export class FolderBytes {
  readonly #queue: ByteQueue;
  readonly #budget: Budget;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #out = 0;
  #at = 0;
  #obstacle: Obstacle | null = null;

  /** `packed`: the folder's packed bytes, to their end. */
  constructor(folder: Folder, packed: AsyncGenerator<Uint8Array>, budget: Budget) {
    this.#queue = new ByteQueue(packed);
    this.#budget = budget;
    this.#pieces = unpackFolder(folder, this.#queue);
  }

  /** The file that begins at `from`. */
  async *file(from: number, { size, sum }: Stretch): AsyncGenerator<Uint8Array> {
    while (this.#at < from) await this.#next(from - this.#at);
    let crc = 0;
    while (this.#at < from + size) {
      const part = await this.#next(from + size - this.#at);
      crc = crc32(part, crc);
      yield part;
    }
    if (sum !== null && sum !== crc) throw new Damage('7z checksum');
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
  }

  async #next(most: number): Promise<Uint8Array> {
    // The files behind one that could not be read on can't be read either.
    if (this.#obstacle !== null) throw this.#obstacle;
    if (this.#rest.length === 0) this.#rest = await this.#piece();
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    this.#at += part.length;
    return part;
  }

  async #piece(): Promise<Uint8Array> {
    try {
      const { value, done } = await this.#pieces.next();
      if (done === true) throw new Damage('truncated 7z data');
      this.#out += value.length;
      this.#budget.unpacked(value.length);
      this.#budget.ratio(this.#out, this.#queue.taken);
      return value;
    } catch (error) {
      if (error instanceof Obstacle) this.#obstacle = error;
      throw error;
    }
  }
}

/** Each coder takes what the next one of the chain gives; the last one takes the packed bytes. */
async function* unpackFolder(folder: Folder, packed: ByteQueue): AsyncGenerator<Uint8Array> {
  const stages: AsyncGenerator<Uint8Array>[] = [];
  let input = packed;
  try {
    for (const index of chainOf(folder.method).toReversed()) {
      const stage = decode(folder.method.coders[index]!, folder.sizes[index]!, input);
      stages.push(stage);
      input = new ByteQueue(stage);
    }
    yield* stages.at(-1)!;
  } finally {
    for (const stage of stages) await stage.return(undefined);
  }
}

/** From the coder whose output nobody takes to the one that takes the packed bytes. */
function chainOf({ coders, links }: Method): number[] {
  if (coders.some(({ method }) => method === AES)) throw new Encrypted();
  if (coders.some(({ inputs, outputs }) => inputs !== 1 || outputs !== 1))
    throw new Unsupported('compression method in 7z');
  const chain: number[] = [];
  let next: number | undefined = coders.findIndex(
    (_, index) => !links.some(({ output }) => output === index),
  );
  while (next !== undefined && next >= 0 && next < coders.length && chain.length <= coders.length) {
    chain.push(next);
    const input: number = next;
    next = links.find((link) => link.input === input)?.output;
  }
  if (chain.length !== coders.length) throw new Damage('7z header');
  return chain;
}

const AES = '06f10701';

function decode({ method, properties }: Coder, size: number, queue: ByteQueue): AsyncGenerator<Uint8Array> {
  const view = new DataView(properties.buffer, properties.byteOffset, properties.byteLength);
  switch (method) {
    case '00':
      return copied(queue, size);
    case '21':
      return unlzma2(queue, dictionarySize(propertyOf(view, 0)));
    case '030101': {
      if (view.byteLength < 5) throw new Damage('7z header');
      return decodeLzma(queue, { properties: view.getUint8(0), dictionary: view.getUint32(1, true), size });
    }
    case '040108':
      return inflate(createInflateRaw({ chunkSize: CHUNK_SIZE }), queue, '7z data');
    case '040202':
      return bunzip2(queue);
    case '04f71101':
      return inflate(createZstdDecompress({ chunkSize: CHUNK_SIZE }), queue, '7z data');
    case '03':
      return filtered(copied(queue, size), new DeltaFilter(propertyOf(view, 0) + 1));
    case '04':
    case '03030103':
      return filtered(copied(queue, size), new X86Filter());
    default:
      throw new Unsupported('compression method in 7z');
  }
}

function propertyOf(view: DataView, at: number): number {
  if (at >= view.byteLength) throw new Damage('7z header');
  return view.getUint8(at);
}

async function* copied(queue: ByteQueue, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const bytes = await queue.take(Math.min(left, CHUNK_SIZE));
    if (bytes.length === 0) throw new Damage('truncated 7z data');
    left -= bytes.length;
    yield bytes;
  }
}
