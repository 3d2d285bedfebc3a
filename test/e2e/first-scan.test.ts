/** What a newcomer sees: the launcher, the example share, the report. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FindingLine, findingsOf, isProgress } from '../support/results.ts';
import { CHECKOUT, type Ended, openSeine } from '../support/seine.ts';

const seine = openSeine();
afterAll(() => seine.close());

const SHARE = join(CHECKOUT, 'examples/data');
const files = readdirSync(SHARE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const planted = JSON.parse(readFileSync(join(CHECKOUT, 'examples/planted.json'), 'utf8')) as {
  path: string;
  detector: string;
  count: number;
}[];

/** Kinds without a checksum or a form of their own: found where a label or a neighbour speaks for them. */
const WEAK = ['NAME', 'ADDRESS', 'PHONE', 'DATE_DOB'];
/** Staff numbers, diagnosis codes, logins and similar values that accompany the planted ones. */
const BESIDE = [
  ...[
    'CARD_EXPIRY 28',
    'DIAGNOSIS 92',
    'EMPLOYEE_ID 182',
    'MEDICATION 5',
    'NAME 35',
    'SALARY 40',
    'USERNAME 3',
  ],
  'US_BANK_ACCOUNT 4',
];

let first: Ended;
let found: FindingLine[];
beforeAll(async () => {
  first = await seine.run(['scan', 'examples/data', '--max-findings', '100000']);
  found = await findingsOf(seine, '1');
});

describe('seine scan examples/data', () => {
  it('exits with 0 and prints only progress on stderr', () => {
    expect(first.code).toBe(0);
    expect(first.stderr.split('\n').filter((line) => line !== '' && !isProgress(line))).toEqual([]);
  });

  it('prints tiers, the worst objects and folders, types with masked samples, coverage, speed and what to do next', () => {
    const headings = [
      'Objects by risk',
      'Worst objects',
      'Inside documents and archives',
      'Worst folders',
      'Findings by type',
      'Coverage',
      'Speed',
      'Next',
    ];
    expect(first.stdout.split('\n').filter((line) => headings.includes(line))).toEqual(headings);
    for (const tier of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'MINIMAL'])
      expect(first.stdout).toContain(`  ${tier}`);
    expect(first.stdout).toMatch(/\n {6}•••-••-\d{4} /);
    expect(first.stdout).toMatch(/objects\/s · [\d.]+ MB\/s/);
    expect(first.stdout).toContain('seine findings 1 --where');
  });

  it('masks a card number down to its first and last four digits', () => {
    const cards = found.filter(({ detector, masked }) => detector === 'CREDIT_CARD' && masked.includes(' '));
    expect(cards.length).toBeGreaterThan(0);
    for (const { masked } of cards) expect(masked).toMatch(/^\d{4} [• ]+ •*\d{1,4}$/);
  });

  it('has a coverage line whose parts add up to the number of files', () => {
    const line = /^ {2}(\d+) objects: (.*?)(?: \(.*\))?$/m.exec(first.stdout)!;
    const parts = [...line[2]!.matchAll(/(\d+) (\w+)/g)].map((part) => Number(part[1]));
    expect(Number(line[1])).toBe(files.length);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(files.length);
  });

  it('shows the page, the cell and the member', () => {
    expect(first.stdout).toMatch(/\n {2}hr\/salaries-2024\.xlsx#Salaries![A-Z]\d+ +SSN /);
    expect(first.stdout).toMatch(/\n {2}hr\/contract-kayak-technician\.pdf#page 1:\d+ +SSN /);
    expect(first.stdout).toMatch(/\n {2}exports\/backup\.zip!logs\.tar\.gz!logs\/\S+ +CREDIT_CARD /);
  });

  it('names what it did not read', () => {
    expect(first.stdout).toContain('picture: OCR is off');
    expect(first.stdout).toContain('skipped: encrypted');
  });
});

describe('what was planted', () => {
  it('is found, as often as it was planted, for every kind with a form of its own', () => {
    const strong = planted.filter(({ detector }) => !WEAK.includes(detector));
    const expected = strong.map(({ path, detector, count }) => `${path} ${detector} ${count}`);
    const had = strong.map(({ path, detector }) => `${path} ${detector} ${countOf(path, detector)}`);
    expect(strong.length).toBeGreaterThan(100);
    expect(had).toEqual(expected);
  });

  it.each(WEAK)('%s is found somewhere, and never more often than it was planted', (detector) => {
    const places = planted.filter((place) => place.detector === detector);
    const tooMany = places.filter(({ path, count }) => countOf(path, detector) > count);
    // Only labelled names are counted as planted; those in running text are found as well.
    if (detector !== 'NAME') expect(tooMany).toEqual([]);
    expect(found.filter((finding) => finding.detector === detector).length).toBeGreaterThan(0);
  });

  it('is all there is, but for what stands beside it by itself', () => {
    const known = new Set(planted.map(({ path, detector }) => `${path} ${detector}`));
    const others = found.filter(({ key, detector }) => !known.has(`${key} ${detector}`));
    const counts = Object.groupBy(others, ({ detector }) => detector);
    expect(
      Object.entries(counts)
        .map(([detector, all]) => `${detector} ${all!.length}`)
        .sort(),
    ).toEqual(BESIDE);
  });

  it('is distinguished from look-alikes, which give no finding at all', () => {
    expect(found.filter(({ key }) => key.startsWith('look-alikes/')).map(placeOf)).toEqual([]);
  });
});

describe('the launcher', () => {
  it('runs from any folder, also through a link', async () => {
    const link = join(seine.folder, 'linked');
    await promisify(execFile)('ln', ['-s', join(CHECKOUT, 'seine'), link]);
    const { stdout, stderr } = await promisify(execFile)(link, ['--version'], { cwd: '/' });
    const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect({ stdout, stderr }).toEqual({ stdout: `${version}\n`, stderr: '' });
  });
});

function countOf(path: string, detector: string): number {
  return found.filter((finding) => finding.key === path && finding.detector === detector).length;
}

function placeOf({ key, line, detector, masked }: FindingLine): string {
  return `${key}:${line} ${detector} ${masked}`;
}
