/** The content of the documents: sentences and rows, with a sensitive value now and then. */
import { customer } from '../../examples/generator/people.ts';
import type { Random } from '../../examples/generator/random.ts';
import { KINDS } from '../corpus/lines.ts';
import { plantedSentence } from '../corpus/planted.ts';
import { WORDS } from '../corpus/words.ts';

const PLANTED_RATE = 0.01;
const PROSE = KINDS.find(({ extension }) => extension === 'md')!;
/** The examples mark their values, to count them. */
const MARKS = /\uE000[A-Z_]+\uE001|\uE002/g;

export const COLUMNS = ['id', 'name', 'email', 'phone', 'address', 'ordered', 'remark', 'amount'] as const;

export function sentence(random: Random): string {
  return random.chance(PLANTED_RATE) ? PROSE.holding(plantedSentence(random), random) : PROSE.line(random);
}

export function sentences(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => sentence(random));
}

/** Of whole lines, about that long. */
export function prose(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `${sentence(random)}\n`;
  return text;
}

/** One for each of the columns. */
export function customerRow(random: Random, id: number): (string | number)[] {
  const { plain, email, phone, address } = customer(random);
  const texts = [plain, email, phone, address].map((text) => text.replace(MARKS, ''));
  const day = `2025-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`;
  const remark = `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}`;
  return [id, ...texts, day, remark, random.int(100, 99_999) / 100];
}

export function customerRows(random: Random, count: number): (string | number)[][] {
  return Array.from({ length: count }, (_, n) => customerRow(random, n + 1));
}
