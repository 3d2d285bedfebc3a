/** One set of documents, by Seine and by the others, in turns over the same files. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { ensurePackages } from '../../test/support/servers/apt.ts';
import type { Bench } from '../benchmark.ts';
import { count, median, megabytes, seconds, times } from '../figures.ts';
import { measureOurs, type OursMeasured } from './ours.ts';
import type { Competitor, DocumentSet, Measured } from './set.ts';

export const HEAD = [
  ...['', 'documents', 'of', 'documents/s', 'CPU ms', 'MB/s', 'of text', 'with detection', 'findings'],
  ...[
    'first',
    'document process',
    'ours',
    'competitor',
    'documents/s',
    'CPU ms',
    'text',
    'ours is',
    'by CPU',
  ],
] as const;

interface Candidate<M extends Measured> {
  measure(): Promise<M>;
  readonly measured: M[];
}

interface Contest {
  readonly extracting: Candidate<OursMeasured>;
  readonly inspecting: Candidate<OursMeasured>;
  readonly others: readonly (Candidate<Measured> & { readonly competitor: Competitor })[];
  /** Competitors that are not installed. */
  readonly missing: readonly Competitor[];
}

/** A row for each competitor, or one without. */
export async function compareSet(bench: Bench, set: DocumentSet, name: string): Promise<string[][]> {
  const lacks = set.needs && (await ensurePackages(set.needs));
  if (lacks) return [[name, `not made: ${lacks}`]];
  const folder = join(bench.trees, `documents-${name.replaceAll(/\W+/g, '-')}`);
  mkdirSync(folder);
  const documents = await set.make(folder, bench);
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  const contest = await enter(bench, set, folder);
  await measureInTurns(bench, contest);
  checkOurs(bench, name, contest);
  rmSync(folder, { recursive: true });
  return rowsOf(name, documents, bytes, contest);
}

async function enter(bench: Bench, set: DocumentSet, folder: string): Promise<Contest> {
  const ours = (mode: 'extract' | 'inspect') => ({
    measure: () => measureOurs(mode, folder, set.ocr),
    measured: [],
  });
  const others: Contest['others'][number][] = [];
  for (const competitor of set.competitors) {
    const why = (await competitor.missing()) ?? (await failureOf(competitor, folder));
    bench.log(why === null ? `  $ ${competitor.shown(folder)}` : `  MISSING: ${competitor.name}: ${why}`);
    if (why === null) others.push({ competitor, measure: () => competitor.measure(folder), measured: [] });
  }
  const missing = set.competitors.filter((competitor) =>
    others.every((other) => other.competitor !== competitor),
  );
  return { extracting: ours('extract'), inspecting: ours('inspect'), others, missing };
}

/** Its first run does not count: it brings the files into the page cache, and shows whether it can read them at all. */
async function failureOf(competitor: Competitor, folder: string): Promise<string | null> {
  try {
    await competitor.measure(folder);
    return null;
  } catch (error) {
    return `cannot read them: ${messageOf(error)}`;
  }
}

async function measureInTurns(bench: Bench, { extracting, inspecting, others }: Contest): Promise<void> {
  const all: readonly Candidate<Measured>[] = [extracting, inspecting, ...others];
  for (const candidate of [extracting, inspecting]) await candidate.measure(); // not counted either
  for (let n = 0; n < bench.runs; n++)
    for (const candidate of all) candidate.measured.push(await candidate.measure());
}

function checkOurs(bench: Bench, name: string, { extracting, inspecting }: Contest): void {
  for (const { measured } of [extracting, inspecting]) {
    const states = measured.map(({ states }) => states);
    const whole = states.every((each) => Object.keys(each).every((state) => state === 'read'));
    if (!whole) bench.check(false, `${name}: every document is read whole: ${JSON.stringify(states[0])}`);
  }
}

function rowsOf(name: string, documents: number, bytes: number, contest: Contest): string[][] {
  const { extracting, inspecting, others, missing } = contest;
  const of = (each: (measured: OursMeasured) => number) => median(extracting.measured.map(each));
  const own = documents / of(({ seconds }) => seconds);
  const cpu = of(({ cpuSeconds }) => cpuSeconds) / documents;
  const detecting = documents / median(inspecting.measured.map(({ seconds }) => seconds));
  const text = of(({ textBytes }) => textBytes);
  const cells = [
    ...[name, count(documents), megabytes(bytes), rate(own), milliseconds(cpu)],
    (bytes / 1e6 / of(({ seconds }) => seconds)).toFixed(1),
    (text / 1e6 / of(({ seconds }) => seconds)).toFixed(1),
    rate(detecting),
    count(median(inspecting.measured.map(({ findings }) => findings))),
    seconds(of(({ first }) => first)),
    ...[of(({ documentBytes }) => documentBytes), of(({ peakBytes }) => peakBytes)].map(megabytes),
  ];
  const competitors = [
    ...others.map((other) => competitorCells(other, documents, { own, cpu, text })),
    ...missing.map(({ name }) => [name, 'missing', '–', '–', '–', '–']),
  ];
  if (competitors.length === 0) return [[...cells, '–', '–', '–', '–', '–', '–']];
  return competitors.map((competitor, n) => [
    ...(n === 0 ? cells : [name, ...cells.slice(1).map(() => '"')]),
    ...competitor,
  ]);
}

function competitorCells(
  { competitor, measured }: Contest['others'][number],
  documents: number,
  { own, cpu, text }: { readonly own: number; readonly cpu: number; readonly text: number },
): string[] {
  const theirs = documents / median(measured.map(({ seconds }) => seconds));
  const share = median(measured.map(({ textBytes }) => textBytes ?? Number.NaN)) / text;
  const theirCpu = median(measured.map(({ cpuSeconds }) => cpuSeconds)) / documents;
  return [
    ...[competitor.name, rate(theirs), milliseconds(theirCpu), Number.isNaN(share) ? '–' : times(share)],
    ...[times(own / theirs), times(theirCpu / cpu)],
  ];
}

function milliseconds(seconds: number): string {
  return (seconds * 1000).toFixed(seconds < 0.1 ? 1 : 0);
}

function rate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(perSecond < 10 ? 2 : 1) : count(perSecond);
}
