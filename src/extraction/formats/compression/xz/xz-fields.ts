import { crc32 } from 'node:zlib';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';

export async function takeXz(queue: ByteQueue, count: number): Promise<Uint8Array> {
  const bytes = await queue.take(count);
  if (bytes.length < count) throw new CorruptInput('truncated xz data');
  return bytes;
}

/** Headers have sums too; theirs are the first four bytes of `sum`. */
export function checkSum(bytes: Uint8Array, sum: Uint8Array, crc = 0): void {
  const expected = new DataView(sum.buffer, sum.byteOffset).getUint32(0, true);
  if (crc32(bytes, crc) !== expected) throw new CorruptInput('xz checksum');
}

/** Longer ones would not fit 63 bits. */
export const MAX_NUMBER_LENGTH = 9;

/** Numbers in groups of seven bits, the lowest first; all but the last are marked. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new CorruptInput('xz data');
    return byte;
  }

  number(): number {
    let value = 0;
    for (let i = 0; i < MAX_NUMBER_LENGTH; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw new CorruptInput('xz data');
  }
}
