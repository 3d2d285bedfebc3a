import { crc32 } from 'node:zlib';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { checkSum, MAX_NUMBER_LENGTH, NumberReader, takeXz } from './xz-fields.ts';

/** The sizes of all blocks as count and checksum, to compare with the index in constant memory, whatever its length. */
export class Blocks {
  count = 0;
  #sum = 0;

  add(compressedSize: number, size: number): void {
    this.count++;
    this.#sum = crc32(new Uint8Array(new Float64Array([compressedSize, size]).buffer), this.#sum);
  }

  equals(other: Blocks): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}

/** Reads the index after its leading zero. Returns its size. */
export async function readIndex(queue: ByteQueue, expected: Blocks): Promise<number> {
  const start = queue.taken - 1;
  const sum = { crc: crc32(new Uint8Array(1)) };
  const count = await nextNumber(queue, sum);
  if (count !== expected.count) throw new CorruptInput('xz data');
  const found = new Blocks();
  for (let i = 0; i < count; i++) found.add(await nextNumber(queue, sum), await nextNumber(queue, sum));
  if (!found.equals(expected)) throw new CorruptInput('xz data');
  const padding = (4 - ((queue.taken - start) % 4)) % 4;
  const end = await takeXz(queue, padding + 4);
  if (end.subarray(0, padding).some((byte) => byte !== 0)) throw new CorruptInput('xz data');
  checkSum(end.subarray(0, padding), end.subarray(padding), sum.crc);
  return queue.taken - start;
}

async function nextNumber(queue: ByteQueue, sum: { crc: number }): Promise<number> {
  const bytes = await queue.take(MAX_NUMBER_LENGTH);
  const reader = new NumberReader(bytes);
  const number = reader.number();
  sum.crc = crc32(bytes.subarray(0, reader.at), sum.crc);
  queue.unread(bytes.length - reader.at);
  return number;
}
