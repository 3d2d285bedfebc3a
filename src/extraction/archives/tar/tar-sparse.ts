/**
 * Sparse files: the archive contains only the data between the holes, and a map of its positions. The extents are yielded in sequence,
 * with a line end for each hole, so that the text on both sides is not joined to one word.
 */
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { BLOCK, extentsAt } from './tar-header.ts';

/** Offsets and lengths in turn. */
export type SparseMap = readonly number[];

/** Limits the extents in memory. */
const MAX_COUNT = 1_000_000;
const EXTENTS_PER_BLOCK = 21; // in a block
const MORE_AT = 504;
const HOLE = Uint8Array.of(0x0a);

/** As much of a member as is left, and at least a byte of it unless nothing is. */
export interface MemberBytes {
  readonly left: number;
  take(max: number): Promise<Uint8Array>;
}

/** The old GNU format: the first four extents are in the header, more of them in blocks after it. */
export async function readOldMap(
  header: SparseMap,
  extended: boolean,
  nextBlock: () => Promise<Uint8Array>,
): Promise<SparseMap> {
  const map = [...header];
  for (let more = extended; more; ) {
    const block = await nextBlock();
    if (block.length < BLOCK) throw new CorruptInput('truncated tar archive');
    map.push(...extentsAt(block, 0, EXTENTS_PER_BLOCK));
    if (map.length > 2 * MAX_COUNT) throw new LimitExceeded('tar header');
    more = block[MORE_AT] !== 0;
  }
  return map;
}

/** The newest format (GNU PAX 1.0): the map precedes the data, as decimal numbers on separate lines, beginning with their count. */
export async function readInnerMap(bytes: MemberBytes): Promise<SparseMap> {
  const numbers: number[] = [];
  let rest = '';
  while (numbers.length === 0 || numbers.length <= 2 * numbers[0]!) {
    if (numbers.length > 2 * MAX_COUNT) throw new LimitExceeded('tar header');
    const lines = (rest + Buffer.from(await takeBlock(bytes)).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (numbers.length > 0 && numbers.length > 2 * numbers[0]!) break;
      numbers.push(digits(line));
    }
    if (rest.length > BLOCK) throw new CorruptInput('sparse file in tar');
  }
  // Without a number of numbers there is no map.
  return Number.isNaN(numbers[0]) ? [Number.NaN] : numbers.slice(1);
}

async function takeBlock(bytes: MemberBytes): Promise<Uint8Array> {
  if (bytes.left < BLOCK) throw new CorruptInput('sparse file in tar');
  const block = await bytes.take(BLOCK);
  if (block.length < BLOCK) throw new CorruptInput('truncated tar archive');
  return block;
}

/** NaN for anything else, so that every comparison fails. */
export function digits(text: string): number {
  return /^[0-9]{1,20}$/.test(text) ? Number(text) : Number.NaN;
}

/** Data that the map does not cover is yielded too, and reported. */
export async function* dataExtents(map: SparseMap, bytes: MemberBytes): AsyncGenerator<Uint8Array> {
  const extents = new SparseExtents(bytes);
  let isSound = map.length % 2 === 0;
  let end = 0; // the end of the previous extent, holes included
  for (let i = 0; i + 1 < map.length; i += 2) {
    const [from, length] = [map[i]!, map[i + 1]!];
    if (!(from >= end && length <= bytes.left)) isSound = false;
    if (!isSound) break;
    if (from > end) extents.hole();
    end = from + length;
    yield* extents.next(length, (map[i + 2] ?? end) > end);
  }
  if (bytes.left > 0) {
    isSound = false;
    extents.hole();
    yield* extents.next(bytes.left, false);
  }
  if (!isSound) throw new CorruptInput('sparse file in tar');
}

/** Holes are as long as blocks of a disk: zeros on their sides belong to them. */
class SparseExtents {
  readonly #bytes: MemberBytes;
  #isBehindHole = false;
  #some = false;

  constructor(bytes: MemberBytes) {
    this.#bytes = bytes;
  }

  hole(): void {
    this.#isBehindHole = true;
  }

  async *next(length: number, isBeforeHole: boolean): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      const bytes = await this.#bytes.take(left);
      left -= bytes.length;
      const from = this.#isBehindHole ? bytes.findIndex((byte) => byte !== 0) : 0;
      if (from === -1) continue;
      const to = left === 0 && isBeforeHole ? bytes.findLastIndex((byte) => byte !== 0) + 1 : bytes.length;
      if (to <= from) continue;
      if (this.#isBehindHole && this.#some) yield HOLE;
      this.#isBehindHole = false;
      this.#some = true;
      yield bytes.subarray(from, to);
    }
  }
}
