/** Which files of a folder are scanned. An excluded file is no object; a file that is too large is one, and skipped. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FindingLine, outcomesOf, parseLines, scanned } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
const many = join(seine.folder, 'many');
const LINE = 'ssn 219-18-4417, mail ada@example.org\n';

beforeAll(() => {
  for (const name of ['a.csv', 'a.log', 'hr/b.csv', 'hr/old/c.csv', 'tmp/d.csv', 'tmp/keep/e.csv'])
    put(tree, name, LINE);
  put(tree, 'large.txt', LINE.repeat(100));
  utimesSync(put(tree, 'ancient.txt', LINE), new Date('2001-01-01'), new Date('2001-01-01'));
  for (let n = 0; n < 300; n++) put(many, `${n % 7}/file-${n}.txt`, `person${n}@example.org\n`);
});

const ALL = [
  'a.csv',
  'a.log',
  'ancient.txt',
  'hr/b.csv',
  'hr/old/c.csv',
  'large.txt',
  'tmp/d.csv',
  'tmp/keep/e.csv',
];

async function linesOf(folder: string, ...options: string[]): Promise<FindingLine[]> {
  const { code, stdout, stderr } = await seine.run([
    'scan',
    folder,
    '--full',
    ...options,
    '-o',
    '-',
    '--format',
    'jsonl',
    '-q', // on a slow machine progress would be printed
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parseLines<FindingLine>(stdout);
}

/** The objects in which something was found: every file of the trees has something. */
async function keysOf(folder: string, ...options: string[]): Promise<string[]> {
  return [...new Set((await linesOf(folder, ...options)).map(({ key }) => key))].sort();
}

describe('globs', () => {
  it('without any, everything is scanned', async () => {
    expect(await keysOf(tree)).toEqual(ALL);
  });

  it('--include selects only what matches', async () => {
    expect(await keysOf(tree, '--include', '**/*.csv')).toEqual(ALL.filter((name) => name.endsWith('.csv')));
    expect(await keysOf(tree, '--include', 'hr/**', '--include', '*.log')).toEqual([
      'a.log',
      'hr/b.csv',
      'hr/old/c.csv',
    ]);
  });

  it('--exclude excludes what matches, also from what is included', async () => {
    expect(await keysOf(tree, '--exclude', 'tmp')).toEqual(ALL.filter((name) => !name.startsWith('tmp/')));
    expect(await keysOf(tree, '--include', 'hr/**', '--exclude', '**/old/**')).toEqual(['hr/b.csv']);
  });

  it('a file of its own can be the target', async () => {
    expect(await keysOf(join(tree, 'hr/b.csv'))).toEqual(['b.csv']);
  });
});

describe('.seineignore', () => {
  const ignoring = join(seine.folder, 'ignoring');
  beforeAll(() => {
    for (const name of ['a.csv', 'a.bak', 'sub/b.csv', 'sub/c.bak', 'sub/keep.bak', 'gone/x.csv'])
      put(ignoring, name, LINE);
    put(ignoring, '.seineignore', '# left alone\n*.bak\n/gone/\n');
    put(ignoring, 'sub/.seineignore', '!keep.bak\n');
  });

  it('excludes what it names, and a deeper one can include it again', async () => {
    expect(await keysOf(ignoring)).toEqual(['a.csv', 'sub/b.csv', 'sub/keep.bak']);
  });

  it('hides nothing without saying so', async () => {
    const { stderr } = await seine.run(['scan', ignoring, '--full']);
    expect(stderr).toMatch(/\.seineignore files excluded \d+ files and folders; --no-ignore-files/);
    expect((await seine.run(['scan', ignoring, '--no-ignore-files'])).stderr).not.toContain('excluded');
  });

  it('is ignored itself with --no-ignore-files', async () => {
    const everything = ['a.bak', 'a.csv', 'gone/x.csv', 'sub/b.csv', 'sub/c.bak', 'sub/keep.bak'];
    expect(await keysOf(ignoring, '--no-ignore-files')).toEqual(everything);
  });
});

describe('size and date', () => {
  it('--max-size lists what is larger as skipped', async () => {
    const report = await scanned(seine, [tree, '--full', '--max-size', '1KB']);
    expect(outcomesOf(report)).toEqual({ scanned: ALL.length - 1, skipped: 1 });
    expect(report.coverage.reasons).toEqual([
      expect.objectContaining({ reason: 'larger than the size limit' }),
    ]);
  });

  it('--modified-since excludes what is older', async () => {
    expect(await keysOf(tree, '--modified-since', '2020-01-01')).toEqual(
      ALL.filter((name) => name !== 'ancient.txt'),
    );
    expect(await keysOf(tree, '--modified-since', '24h')).not.toContain('ancient.txt');
    expect(await keysOf(tree, '--modified-since', '2000-01-01')).toEqual(ALL);
  });
});

describe('--sample', () => {
  it('selects the same objects each time, and a smaller share is part of a larger one', async () => {
    const half = await keysOf(many, '--sample', '50');
    const again = await keysOf(many, '--sample', '50%');
    const fifth = await keysOf(many, '--sample', '20');
    expect(again).toEqual(half);
    expect(fifth.filter((key) => !half.includes(key))).toEqual([]);
    expect(half.length).toBeGreaterThan(110);
    expect(half.length).toBeLessThan(190);
    expect(fifth.length).toBeGreaterThan(30);
    expect(fifth.length).toBeLessThan(90);
    expect(await keysOf(many, '--sample', '100')).toHaveLength(300);
  });
});

describe('--rules', () => {
  const rules = (name: string, text: string) => put(seine.folder, name, text);

  it('turn detectors off, and on one by one', async () => {
    const target = join(tree, 'a.csv');
    const off = rules('off.yaml', 'name: no mail\ndetectors:\n  exclude: [EMAIL]\n');
    const only = rules('only.yaml', 'detectors:\n  include: [email]\n');
    const detectors = async (file: string) =>
      (await linesOf(target, '--rules', file)).map(({ detector }) => detector);
    expect(await detectors(off)).toEqual(['SSN']);
    expect(await detectors(only)).toEqual(['EMAIL']);
  });

  it('minConfidence excludes findings below it', async () => {
    const target = put(tree, '../sure.txt', 'ssn 219-18-4417, host 10.1.2.3, mail ada@example.org\n');
    const confidences = (await linesOf(target)).map((line) => line.confidence);
    const floor = Math.max(...confidences);
    expect(Math.min(...confidences)).toBeLessThan(floor);
    const sure = await linesOf(target, '--rules', rules('strict.yaml', `minConfidence: ${floor}\n`));
    expect(sure.map((line) => line.confidence)).toEqual(
      confidences.filter((confidence) => confidence === floor),
    );
    expect(await linesOf(target, '--rules', rules('none.yaml', 'minConfidence: 1\n'))).toEqual([]);
  });

  it('paths narrow the scan, and the command line narrows it further', async () => {
    const file = rules('paths.yaml', 'paths:\n  include: ["**/*.csv"]\n  exclude: ["tmp/**"]\n');
    expect(await keysOf(tree, '--rules', file)).toEqual(['a.csv', 'hr/b.csv', 'hr/old/c.csv']);
    expect(await keysOf(tree, '--rules', file, '--exclude', '**/old/**')).toEqual(['a.csv', 'hr/b.csv']);
  });

  it.each([
    ['an unknown key', 'name: x\ndetector:\n  exclude: [EMAIL]\n', ':2:1: ', 'detectors'],
    ['an unknown detector', 'name: x\ndetectors:\n  exclude: [E_MAIL]\n', ':3:13: ', 'EMAIL'],
    ['a number out of range', 'minConfidence: 7\n', ':1:16: ', '0 to 1'],
    ['no YAML', 'name: "open\n', ':', 'YAML'],
  ])('with %s are refused with line, column and a hint', async (_, text, place, hint) => {
    const file = rules('bad.yaml', text);
    const { code, stdout, stderr } = await seine.run(['scan', tree, '--rules', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}${place}`);
    expect(stderr).toContain(hint);
  });
});
