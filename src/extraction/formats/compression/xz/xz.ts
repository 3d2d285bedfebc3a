/**
 * The .xz container: stream header, blocks, index and footer, with their checksums.
 *
 * Format: "The .xz File Format", version 1.2.1 (xz-file-format.txt).
 *
 * No library: node:zlib has no xz, and native add-ons are ruled out because the installation must not need a compiler. The window of
 * each decoder is taken from WindowMemory, so that nested layers cannot multiply it.
 */
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { readBlock } from './xz-block.ts';
import { checkSum, takeXz } from './xz-fields.ts';
import { Blocks, readIndex } from './xz-index.ts';

const MAGIC = Buffer.from('\xfd7zXZ\0', 'latin1');
const HEADER = 12;
const FOOTER = 12;

/** Concatenated streams, with zero padding between them. */
export async function* unxz(queue: ByteQueue, windows: WindowMemory): AsyncGenerator<Uint8Array> {
  for (let first = true; await nextStream(queue, first); first = false) yield* unxzStream(queue, windows);
}

/** One stream; nothing after it is consumed. */
export async function* unxzStream(queue: ByteQueue, windows: WindowMemory): AsyncGenerator<Uint8Array> {
  const check = await readHeader(queue);
  const blocks = new Blocks();
  for (;;) {
    const [size] = await takeXz(queue, 1);
    if (size === 0) break;
    yield* readBlock(queue, { sizeByte: size!, check }, blocks, windows);
  }
  await readFooter(queue, check, await readIndex(queue, blocks));
}

/** Advances to the next stream; false at the end. */
async function nextStream(queue: ByteQueue, first: boolean): Promise<boolean> {
  for (;;) {
    const start = await queue.take(4);
    if (start.length === 0 && !first) return false;
    if (!first && start.length === 4 && start.every((byte) => byte === 0)) continue;
    queue.unread(start.length);
    if (!first && start[0] !== MAGIC[0]) throw new CorruptInput('data after xz');
    return true;
  }
}

/** Returns the check type of the blocks. */
async function readHeader(queue: ByteQueue): Promise<number> {
  const header = await takeXz(queue, HEADER);
  if (MAGIC.compare(header, 0, 6) !== 0) throw new CorruptInput('xz data');
  checkSum(header.subarray(6, 8), header.subarray(8));
  return kindOfCheck(header.subarray(6, 8));
}

async function readFooter(queue: ByteQueue, check: number, indexSize: number): Promise<void> {
  const footer = await takeXz(queue, FOOTER);
  if (footer[10] !== 0x59 || footer[11] !== 0x5a) throw new CorruptInput('xz data');
  checkSum(footer.subarray(4, 10), footer);
  const backward = new DataView(footer.buffer, footer.byteOffset).getUint32(4, true);
  if (4 * (backward + 1) !== indexSize || kindOfCheck(footer.subarray(8, 10)) !== check)
    throw new CorruptInput('xz data');
}

function kindOfCheck([zero, kind]: Uint8Array): number {
  if (zero !== 0 || kind! > 15) throw new CorruptInput('xz data');
  return kind!;
}
