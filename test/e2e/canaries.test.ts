/**
 * Raw values are never stored, logged or printed. Values of every kind are planted, scanned with every output and
 * every command, and then searched for in all output: the data folder with the database, its log and its
 * write-ahead log, the files, the terminal.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/detection/catalogue.ts';
import { openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
const out = join(seine.folder, 'out');

/** Invented, and found nowhere else: each of these must be detected. */
const CANARIES: Readonly<Record<string, string>> = {
  SSN: '219-73-8264',
  CREDIT_CARD: '4539 5787 6362 1486',
  EMAIL: 'canary.zebedee.quill@nowhere-at-all.example.org',
  PASSWORD: 'Zq7-canary-Lumen!92',
  AWS_ACCESS_KEY: ['AKIA', 'QZXW7CANARY5LMNP'].join(''),
  GITHUB_TOKEN: ['ghp', 'c4N9aRyZq82LmXw7TbVe51KdHs06UoPjRiGf'].join('_'),
  DATABASE_URL: 'postgres://quill:canary-pw-8812@db.example.org:5432/zoo',
};
const LABELS: Readonly<Record<string, string>> = {
  PASSWORD: 'password = ',
  SSN: 'ssn: ',
  CREDIT_CARD: 'card ',
};

const lineOf = (kind: string) => `${LABELS[kind] ?? ''}${CANARIES[kind]}\n`;
/** The detectors' own examples, for every kind there is. */
/** Kinds that are off, and markings, which are words of every language, are no canaries. */
const canaries = catalogue.filter(({ optional, category }) => optional !== true && category !== 'government');
const examples = canaries.flatMap(({ id, examples }) =>
  examples.match
    .map((example) => (typeof example === 'string' ? { text: example } : example))
    .map(({ text, value = text, field }) => ({ id, text, field, value: longestLine(value) })),
);
/** The short ones could stand somewhere by accident. */
const values = [
  ...Object.values(CANARIES),
  ...examples.map(({ value }) => value).filter(({ length }) => length >= 9),
];

let said = '';
let detected: Set<string>;
beforeAll(async () => {
  mkdirSync(out);
  for (const kind of Object.keys(CANARIES)) put(tree, `plain/${kind}.txt`, lineOf(kind));
  put(tree, 'packed.txt.gz', gzipSync(Object.keys(CANARIES).map(lineOf).join('')));
  put(tree, 'table.csv', `ssn,mail,card\n${CANARIES.SSN},${CANARIES.EMAIL},${CANARIES.CREDIT_CARD}\n`);
  put(tree, 'record.json', JSON.stringify({ password: CANARIES.PASSWORD, mail: CANARIES.EMAIL }));
  for (const [n, { id, text, field }] of examples.entries()) {
    if (field === undefined) put(tree, `examples/${id}-${n}.txt`, `${text}\n`);
    else put(tree, `examples/${id}-${n}.json`, JSON.stringify({ [field]: text }));
  }

  const outputs = ['jsonl', 'sarif', 'csv', 'html', 'json', 'txt'].flatMap((end) => [
    '-o',
    join(out, `report.${end}`),
  ]);
  const commands = [
    ['scan', tree, ...outputs, '--verbose'],
    ['scan', tree, '--json'],
    ['scan', tree, '--full', '--fail-on', 'LOW'],
    ['findings', '--json'],
    ['findings', '--objects'],
    ['findings'],
    ['coverage', '--list'],
    ['inspect', join(tree, 'plain/PASSWORD.txt')],
    ['inspect', '--json', join(tree, 'table.csv')],
  ];
  for (const words of commands) {
    const { stdout, stderr } = await seine.run(words);
    said += stdout + stderr;
  }
  const lines = (await seine.run(['findings', '--json'])).stdout.trimEnd().split('\n');
  detected = new Set(lines.map((line) => JSON.parse(line).detector));
  await seine.serverStopped();
});

describe('raw values', () => {
  it('of every kind were there to be found, and were found', () => {
    expect(found(tree).length).toBeGreaterThan(Object.keys(CANARIES).length);
    expect(canaries.map(({ id }) => id).filter((id) => !detected.has(id))).toEqual([]);
    expect(Object.keys(CANARIES).filter((kind) => !detected.has(kind))).toEqual([]);
  });

  it('are in no byte of the data folder: not in tables, indexes, logs or the write-ahead log', () => {
    expect(found(seine.data)).toEqual([]);
    expect(found(seine.data, ['plain/PASSWORD.txt']).length).toBeGreaterThan(0); // what is stored would be seen
  });

  it('are in no output file', () => {
    expect(found(out)).toEqual([]);
  });

  it('were never printed on stdout or stderr', () => {
    expect(said.length).toBeGreaterThan(1000);
    expect(values.filter((value) => said.includes(value))).toEqual([]);
  });
});

/** Occurrences of the words in the bytes of a folder's files. */
function found(folder: string, words: readonly string[] = values): string[] {
  const grep = ['--recursive', '--text', '--only-matching', '--fixed-strings', '--file=-', folder];
  try {
    return execFileSync('grep', grep, { input: words.join('\n'), encoding: 'utf8', maxBuffer: 64e6 })
      .trimEnd()
      .split('\n');
  } catch (error) {
    if ((error as { status?: number }).status === 1) return []; // grep: no match
    throw error;
  }
}

function longestLine(text: string): string {
  return text.split(/\r?\n/).toSorted((a, b) => b.length - a.length)[0]!;
}
