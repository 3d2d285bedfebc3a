/**
 * Rows for files that are too long to be written row by row: a hundred blocks of a megabyte, each unlike the others, which
 * come again and again in an order of chance. They are too long for a compressor to notice.
 */
import { constants, deflateRawSync } from 'node:zlib';
import { Random } from '../../examples/generator/random.ts';
import { KINDS } from '../corpus/lines.ts';
import { plantedSentence } from '../corpus/planted.ts';

export const COLUMNS = ['id', 'article', 'title', 'quantity', 'price', 'updated', 'warehouse', 'hash'];
const TITLE = 2;
const BLOCK = 1 << 20;
const DIFFERENT = 128;
const PLANTED_RATE = 0.001;
/** So many rows of a block take turns behind their numbers: an export repeats itself, and compresses well. */
const ALIKE = 150;
const CSV = KINDS.find(({ extension }) => extension === 'csv')!;

/** Its values are texts, as they stand in a CSV without quotes. */
export function rowOf(random: Random): string[] {
  const values = CSV.line(random).split(',');
  if (random.chance(PLANTED_RATE)) values[TITLE] = plantedSentence(random);
  return values;
}

export interface Block {
  readonly text: Buffer;
  /** Of raw deflate, to be followed by any other; none of them is the last. */
  readonly deflated: Buffer;
}

/** Blocks of CSV rows that are so long together. */
export function* blocksOf(bytes: number, seed: number): Generator<Block> {
  const random = new Random(seed, 'streaming');
  const made: Block[] = [];
  for (let left = bytes; left > 0; ) {
    const block = made.length < DIFFERENT ? newBlock(random) : random.pick(made);
    if (made.length < DIFFERENT) made.push(block);
    left -= block.text.length;
    yield block;
  }
}

function newBlock(random: Random): Block {
  const tails = Array.from({ length: ALIKE }, () => csvOf(rowOf(random).slice(1)));
  let rows = '';
  while (rows.length < BLOCK) rows += `${random.int(1, 999_999)},${random.pick(tails)}\n`;
  return blockOf(Buffer.from(rows));
}

function csvOf(values: readonly string[]): string {
  return values.map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}

export function blockOf(text: Buffer): Block {
  const deflated = deflateRawSync(text, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
  return { text, deflated };
}

/** Ends a stream of blocks: one without anything in it, which is the last. */
export const LAST_BLOCK = Buffer.from([3, 0]);
