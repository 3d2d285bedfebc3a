/** False positives: findings in random digits, and in text without personal data. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { KINDS } from '../corpus/lines.ts';
import { count, megabytes, table } from '../figures.ts';
import { find, USUAL } from './find.ts';

const MIN_DIGITS = 8;
const MAX_DIGITS = 22;
const STRINGS = 10_000;
const GENERATED = 8_000_000;

/** Digits of every length: the share that is taken for anything, alone and in a sentence. */
export function countRandomDigits(bench: Bench): void {
  const strings = scaled(bench, STRINGS);
  bench.log(`\n  random digits, ${count(strings)} of each length: share taken for anything`);
  const random = new Random(bench.seed, 'digits');
  const rows: string[][] = [];
  for (let length = MIN_DIGITS; length <= MAX_DIGITS; length++) {
    const all = Array.from({ length: strings }, () => digits(random, length));
    const bare = takenOf(all, (number) => number);
    const within = takenOf(all, (number) => `Yesterday the value ${number} was seen again.`);
    rows.push([
      `${length} digits`,
      bare.share,
      within.share,
      [...new Set([...bare.ids, ...within.ids])].join(' '),
    ]);
  }
  bench.log(table([['', 'alone', 'in a sentence', 'taken for'], ...rows]));
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => random.int(0, 9)).join('');
}

function takenOf(
  numbers: readonly string[],
  text: (number: string) => string,
): { share: string; ids: Set<string> } {
  const ids = new Set<string>();
  const taken = numbers.filter((number) => {
    const findings = find(text(number), USUAL);
    for (const { id } of findings) ids.add(id);
    return findings.length > 0;
  }).length;
  return { share: `${((100 * taken) / numbers.length).toFixed(2)} %`, ids };
}

/** False findings per megabyte, of text that is made here and of text that was written for programmers. */
export function countFalsePositives(bench: Bench): void {
  const made = madeText(bench);
  falsePositives(
    bench,
    `made up (logs, records, tables, prose, code of bench/corpus), seed ${bench.seed}`,
    made,
  );
  const root = join(import.meta.dirname, '../../node_modules');
  const files = [
    ...globSync('@types/node/**/*.d.ts', { cwd: root }),
    ...globSync('typescript/lib/**/*.d.ts', { cwd: root }),
  ];
  const written = files.sort().map((file) => readFileSync(join(root, file)));
  falsePositives(
    bench,
    'declarations of Node and TypeScript (English and code; every finding counts as false, though some names are those of firms)',
    written,
  );
}

function madeText(bench: Bench): Buffer[] {
  const random = new Random(bench.seed, 'made');
  const share = scaled(bench, GENERATED) / KINDS.length;
  return KINDS.map((kind) => {
    let text = kind.head;
    const lines: string[] = [];
    for (let bytes = 0; bytes < share; bytes += text.length + 1) {
      text = kind.line(random);
      lines.push(text);
    }
    return Buffer.from(`${kind.head}${lines.join('\n')}\n`);
  });
}

function falsePositives(bench: Bench, what: string, texts: readonly Buffer[]): void {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const counts = new Map<string, number>();
  for (const text of texts) for (const { id } of find(text, USUAL)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  bench.log(`\n  text without anybody's data: ${what}`);
  bench.log(`  ${megabytes(bytes)}: ${count(all)} findings, ${((all * 1e6) / bytes).toFixed(2)} per MB`);
  for (const [id, n] of [...counts].sort(([, a], [, b]) => b - a))
    bench.log(`    ${id.padEnd(24)}${count(n)}`);
}
