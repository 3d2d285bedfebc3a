/**
 * Files with holes: only what stands between the holes is in the archive, and a map tells where it belongs. The bytes are given
 * one stretch after another, with a line's end for a hole: what stands on both sides of it is not one word.
 */
import { CorruptInput, LimitExceeded } from '../extraction-error.ts';
import { BLOCK, extentsAt } from './tar-header.ts';

/** Offsets and lengths in turn. */
export type SparseMap = readonly number[];

/** Stretches that are kept in memory. */
const MAX_COUNT = 1_000_000;
const STRETCHES = 21; // in a block
const MORE_AT = 504;
const HOLE = Uint8Array.of(0x0a);

/** As much of a member as is left, and at least a byte of it unless nothing is. */
export interface MemberBytes {
  readonly left: number;
  take(max: number): Promise<Uint8Array>;
}

/** GNU's own format: the first four stand in the header, more of them in blocks behind it. */
export async function readOldMap(
  header: SparseMap,
  extended: boolean,
  nextBlock: () => Promise<Uint8Array>,
): Promise<SparseMap> {
  const map = [...header];
  for (let more = extended; more; ) {
    const block = await nextBlock();
    if (block.length < BLOCK) throw new CorruptInput('truncated tar archive');
    map.push(...extentsAt(block, 0, STRETCHES));
    if (map.length > 2 * MAX_COUNT) throw new LimitExceeded('tar header');
    more = block[MORE_AT] !== 0;
  }
  return map;
}

/** The newest format: the map stands before the bytes, a number on each line, the first of which is how many there are. */
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

/** NaN where something else stands: no comparison holds for it. */
export function digits(text: string): number {
  return /^[0-9]{1,20}$/.test(text) ? Number(text) : Number.NaN;
}

/** What the map does not account for is given, and told. */
export async function* dataExtents(map: SparseMap, bytes: MemberBytes): AsyncGenerator<Uint8Array> {
  const stretches = new SparseExtents(bytes);
  let isSound = map.length % 2 === 0;
  let end = 0; // of what came before, holes included
  for (let i = 0; i + 1 < map.length; i += 2) {
    const [from, length] = [map[i]!, map[i + 1]!];
    if (!(from >= end && length <= bytes.left)) isSound = false;
    if (!isSound) break;
    if (from > end) stretches.hole();
    end = from + length;
    yield* stretches.next(length, (map[i + 2] ?? end) > end);
  }
  if (bytes.left > 0) {
    isSound = false;
    stretches.hole();
    yield* stretches.next(bytes.left, false);
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
