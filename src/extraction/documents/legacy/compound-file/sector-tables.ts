import type { RandomAccess } from '../../../document-item.ts';
import { FREE } from './sector-chains.ts';

const HEADER_LIST = 76;
const HEADER_LIST_LENGTH = 109;
const FIRST_LIST_SECTOR = 68;

/**
 * The FAT: for each sector the next one of its chain. Parts of it beyond the end of a truncated file are marked as free, so that the
 * chains break there.
 */
export async function readFat(input: RandomAccess, header: Buffer, bytes: number): Promise<Uint32Array> {
  const count = Math.max(0, Math.ceil(input.size / bytes) - 1);
  const fat = new Uint32Array(Math.ceil(count / (bytes / 4)) * (bytes / 4)).fill(FREE);
  const sectors = await fatSectors(input, header, bytes, Math.ceil((count * 4) / bytes));
  const target = new Uint8Array(fat.buffer);
  for (let i = 0; i < sectors.length; ) {
    // Often they are contiguous.
    let beside = 1;
    while (sectors[i + beside] === sectors[i]! + beside) beside++;
    const from = (sectors[i]! + 1) * bytes;
    if (sectors[i]! < count) target.set(await input.read(from, from + beside * bytes), i * bytes);
    i += beside;
  }
  return fat.subarray(0, count);
}

/** No more than `most`, which also ends a list that was knotted to a loop. */
async function fatSectors(
  input: RandomAccess,
  header: Buffer,
  bytes: number,
  max: number,
): Promise<number[]> {
  const sectors: number[] = [];
  for (let i = 0; i < HEADER_LIST_LENGTH && sectors.length < max; i++) {
    sectors.push(header.readUInt32LE(HEADER_LIST + 4 * i));
  }
  let list = header.readUInt32LE(FIRST_LIST_SECTOR);
  while (sectors.length < max) {
    const from = (list + 1) * bytes;
    if (from + bytes > input.size) break;
    const numbers = wordsOf(await input.read(from, from + bytes));
    for (let i = 0; i < numbers.length - 1 && sectors.length < max; i++) sectors.push(numbers[i]!);
    list = numbers[numbers.length - 1]!;
  }
  return sectors;
}

/** Every machine this runs on has the byte order of the format. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.length * 4));
  return words;
}
