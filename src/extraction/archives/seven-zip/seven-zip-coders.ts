import { createInflateRaw } from 'node:zlib';
import type { WindowMemory } from '../../budget/window-memory.ts';
import { CorruptInput, Encrypted, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { bunzip2 } from '../../formats/compression/bzip2/bzip2.ts';
import { inflate64 } from '../../formats/compression/deflate/deflate64.ts';
import { CHUNK_SIZE, inflate } from '../../formats/compression/deflate/inflation.ts';
import { unbcj2 } from '../../formats/compression/filters/bcj2.ts';
import { branchFilter } from '../../formats/compression/filters/branch-filters.ts';
import { DeltaFilter, filtered } from '../../formats/compression/filters/delta-x86-filters.ts';
import { decodeLzma } from '../../formats/compression/lzma/lzma.ts';
import { dictionarySize, unlzma2 } from '../../formats/compression/lzma/lzma2.ts';
import { unppmd } from '../../formats/compression/ppmd/ppmd.ts';
import { unzstdFrame } from '../../formats/compression/zstd/zstd.ts';
import type { Coder, Folder } from './seven-zip-streams.ts';

const AES = '06f10701';
const BCJ2 = '0303011b';
/** Coders with a window or other memory; no program puts more of them into a folder than BCJ2 has streams. */
const REMEMBERING: ReadonlySet<string> = new Set(['21', '030101', '030401']);
const MAX_REMEMBERING = 4;

/** Filters for the branches of a processor: older names and the numbers that xz has for them. */
const BRANCHES: Readonly<Record<string, number>> = {
  ...{ '04': 4, '05': 5, '06': 6, '07': 7, '08': 8, '09': 9, '0a': 10, '0b': 11 },
  ...{ '03030103': 4, '03030205': 5, '03030401': 6, '03030501': 7, '03030701': 8, '03030805': 9 },
};

/** The unpacked content of a folder. The input of each coder is another coder's output, or a packed stream. */
export async function* unpackFolder(
  folder: Folder,
  packed: readonly ByteQueue[],
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const stages: AsyncGenerator<Uint8Array>[] = [];
  try {
    yield* new FolderCoders({ folder, packed, windows }, stages).lastOne();
  } finally {
    for (const stage of stages) await stage.return(undefined);
  }
}

interface Inputs {
  readonly folder: Folder;
  readonly packed: readonly ByteQueue[];
  readonly windows: WindowMemory;
}

class FolderCoders {
  readonly #folder: Folder;
  readonly #packed: readonly ByteQueue[];
  readonly #windows: WindowMemory;
  readonly #stages: AsyncGenerator<Uint8Array>[];
  readonly #seen = new Set<number>();

  constructor({ folder, packed, windows }: Inputs, stages: AsyncGenerator<Uint8Array>[]) {
    this.#folder = folder;
    this.#packed = packed;
    this.#windows = windows;
    this.#stages = stages;
  }

  /** The output that is no coder's input. */
  lastOne(): AsyncGenerator<Uint8Array> {
    const { coders, links } = this.#folder.method;
    if (coders.some(({ method }) => method === AES)) throw new Encrypted();
    if (coders.some(({ outputs }) => outputs !== 1)) throw new Unsupported('compression method in 7z');
    const last = coders.findIndex((_, index) => !links.some(({ output }) => output === index));
    if (coders.filter(({ method }) => REMEMBERING.has(method)).length > MAX_REMEMBERING)
      throw new LimitExceeded('dictionary');
    const stage = this.#stage(last);
    if (this.#stages.length !== coders.length) throw new CorruptInput('7z header');
    return stage;
  }

  #stage(index: number): AsyncGenerator<Uint8Array> {
    const { coders } = this.#folder.method;
    const coder = coders[index];
    // Each output is read once, and never by its own coder.
    if (coder === undefined || this.#seen.has(index)) throw new CorruptInput('7z header');
    this.#seen.add(index);
    const first = coders.slice(0, index).reduce((sum, { inputs }) => sum + inputs, 0);
    const inputs = Array.from({ length: coder.inputs }, (_, i) => this.#input(first + i));
    const stage = decode(coder, this.#folder.sizes[index] ?? 0, inputs, this.#windows);
    this.#stages.push(stage);
    return stage;
  }

  #input(input: number): ByteQueue {
    const { links, packedInputs } = this.#folder.method;
    const link = links.find((one) => one.input === input);
    if (link !== undefined) return new ByteQueue(this.#stage(link.output));
    const packed = this.#packed[packedInputs.indexOf(input)];
    if (packed === undefined) throw new CorruptInput('7z header');
    return packed;
  }
}

function decode(
  coder: Coder,
  size: number,
  inputs: readonly ByteQueue[],
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const { method } = coder;
  if (method === BCJ2 && inputs.length === 4) return unbcj2(inputs, size);
  const [queue] = inputs;
  if (queue === undefined || inputs.length > 1) throw new Unsupported('compression method in 7z');
  const { buffer, byteOffset, byteLength } = coder.properties;
  const view = new DataView(buffer, byteOffset, byteLength);
  switch (method) {
    case '00':
      return copied(queue, size);
    case '21':
      return unlzma2(queue, dictionarySize(propertyOf(view, 0)), windows);
    case '030101': {
      if (view.byteLength < 5) throw new CorruptInput('7z header');
      const [properties, dictionary] = [view.getUint8(0), view.getUint32(1, true)];
      return decodeLzma(queue, { properties, dictionary, size }, windows);
    }
    case '030401':
      if (view.byteLength < 5) throw new CorruptInput('7z header');
      return unppmd(queue, { order: view.getUint8(0), memory: view.getUint32(1, true), size }, windows);
    case '040108':
      return inflate(createInflateRaw({ chunkSize: CHUNK_SIZE }), queue, '7z data');
    case '040109':
      return inflate64(queue);
    case '040202':
      return bunzip2(queue);
    case '04f71101':
      return unzstdFrame(queue, '7z data', windows);
    case '03':
      return filtered(copied(queue, size), new DeltaFilter(propertyOf(view, 0) + 1));
    default:
      return unbranched(method, view, copied(queue, size));
  }
}

function unbranched(
  method: string,
  view: DataView,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const filter = branchFilter(BRANCHES[method] ?? 0, view.byteLength === 4 ? view.getUint32(0, true) : 0);
  if (filter === null) throw new Unsupported('compression method in 7z');
  return filtered(chunks, filter);
}

function propertyOf(view: DataView, at: number): number {
  if (at >= view.byteLength) throw new CorruptInput('7z header');
  return view.getUint8(at);
}

async function* copied(queue: ByteQueue, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const bytes = await queue.take(Math.min(left, CHUNK_SIZE));
    if (bytes.length === 0) throw new CorruptInput('truncated 7z data');
    left -= bytes.length;
    yield bytes;
  }
}
