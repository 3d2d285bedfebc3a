/** Tables in twelve languages, scanned as files: which cells are found, and what is found where nothing is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, scaled } from '../../benchmark.ts';
import { count, table } from '../../figures.ts';
import { findingsOf } from '../noise/findings.ts';
import { recall } from '../score.ts';
import { ALTERNATIVES, type ColumnKind, LANGUAGES, SENSITIVE } from './headers.ts';
import { LANGUAGE_DATA } from './languages.ts';
import { detectorsOf, type FalseFinding, recallOf, type ScoredCell, scoreTable } from './score-tables.ts';
import { type GeneratedTable, makeTable } from './table-file.ts';
import { VARIANTS } from './variants.ts';

const ROWS = 30;
const LISTED = 30;
const NAMES: readonly ColumnKind[] = ['first_name', 'last_name', 'full_name'];

export async function measureTables(bench: Bench): Promise<void> {
  const folder = join(bench.trees, 'tables');
  mkdirSync(folder, { recursive: true });
  const tables = makeTables(bench.seed, scaled(bench, ROWS, 5));
  for (const { file, bytes } of tables) writeFileSync(join(folder, file), bytes);
  const findings = Map.groupBy(await findingsOf(bench, folder, 'tables'), ({ key }) => key);
  const scores = tables.map((made) => scoreTable(made, findings.get(made.file) ?? []));
  const cells = scores.flatMap((score) => score.cells);
  const falseFindings = scores.flatMap((score) => score.falseFindings);
  const found = cells.filter((cell) => cell.found).length;
  bench.log(
    `\n  ${tables.length} tables in ${LANGUAGES.length} languages, ${count(cells.length)} cells to find, seed ${bench.seed}`,
  );
  bench.log(`  recall ${share(cells)}, precision ${(found / (found + falseFindings.length)).toFixed(3)}`);
  printRecall(bench, cells);
  printPrecision(bench, cells, falseFindings);
  printVariants(bench, cells, falseFindings);
  printNames(bench, cells);
  printMissed(bench, cells);
  printFalse(bench, falseFindings);
}

/** The ways to write a table get the same names of columns and values, so that what differs is due to the way. */
function makeTables(seed: number, rows: number): GeneratedTable[] {
  return LANGUAGE_DATA.flatMap((language) =>
    VARIANTS.flatMap((variant) =>
      Array.from({ length: ALTERNATIVES }, (_, alternative) => {
        language.faker.seed(seed * ALTERNATIVES + alternative);
        return makeTable(language, variant, alternative, rows);
      }),
    ),
  );
}

function share(cells: readonly ScoredCell[]): string {
  return cells.length === 0 ? '' : recall(recallOf(cells)).toFixed(3);
}

function printRecall(bench: Bench, cells: readonly ScoredCell[]): void {
  const rows = SENSITIVE.map((kind) => {
    const ofKind = cells.filter(({ cell }) => cell.kind === kind);
    return [kind, ...LANGUAGES.map((code) => percent(ofKind.filter(ofLanguage(code)))), percent(ofKind)];
  });
  const all = ['all', ...LANGUAGES.map((code) => percent(cells.filter(ofLanguage(code)))), percent(cells)];
  bench.log('\n  recall of cells in per cent, by kind and language');
  bench.log(table([['', ...LANGUAGES, 'all'], ...rows, all]));
}

function printPrecision(bench: Bench, cells: readonly ScoredCell[], wrong: readonly FalseFinding[]): void {
  const groups = Map.groupBy(SENSITIVE, (kind) => (NAMES.includes(kind) ? 'names' : kind));
  const rows = [...groups].map(([name, kinds]) => [
    name,
    ...LANGUAGES.map((code) =>
      precisionOf(kinds, cells.filter(ofLanguage(code)), wrong.filter(ofLanguage(code))),
    ),
    precisionOf(kinds, cells, wrong),
  ]);
  bench.log('\n  precision in per cent: right findings of those with the detectors of a kind');
  bench.log(table([['', ...LANGUAGES, 'all'], ...rows]));
}

function precisionOf(
  kinds: readonly ColumnKind[],
  cells: readonly ScoredCell[],
  wrong: readonly FalseFinding[],
): string {
  const right = cells.filter(({ cell, found }) => found && kinds.includes(cell.kind)).length;
  const invented = wrong.filter(({ table: made, detector }) =>
    kinds.some((kind) => detectorsOf(made, kind).includes(detector)),
  ).length;
  return right + invented === 0 ? '–' : ((100 * right) / (right + invented)).toFixed(0);
}

function printVariants(bench: Bench, cells: readonly ScoredCell[], wrong: readonly FalseFinding[]): void {
  const rows = VARIANTS.map(({ name }) => {
    const ofVariant = cells.filter(({ table: made }) => made.variant === name);
    const invented = wrong.filter(({ table: made }) => made.variant === name).length;
    return [
      name,
      ...SENSITIVE.map((kind) => percent(ofVariant.filter(({ cell }) => cell.kind === kind))),
      percent(ofVariant),
      count(invented),
    ];
  });
  bench.log('\n  recall in per cent by the way a table is written, and false findings');
  bench.log(
    table([['', ...SENSITIVE.map((kind) => kind.replace('_', ' ').slice(0, 7)), 'all', 'false'], ...rows]),
  );
}

function printNames(bench: Bench, cells: readonly ScoredCell[]): void {
  const names = cells.filter(({ cell }) => NAMES.includes(cell.kind));
  const known = names.filter(({ cell }) => cell.listedName);
  const rare = names.filter(({ cell }) => !cell.listedName);
  bench.log(
    `\n  recall of names: ${share(known)} of the library from which the name list of detection was made, ` +
      `${share(rare)} of rare ones outside of it`,
  );
}

/** Names of columns below which more than half of the values are missed; what letters and gaps do to them is not counted. */
function printMissed(bench: Bench, cells: readonly ScoredCell[]): void {
  const labelled = new Set(
    VARIANTS.filter(
      ({ headers, letters, secondHeader }) =>
        headers === 'localized' && letters === undefined && secondHeader === undefined,
    ).map(({ name }) => name),
  );
  const ofLabelled = cells.filter(({ table: made }) => labelled.has(made.variant));
  bench.log('\n  names of columns of which more than half is missed, with the recall in per cent');
  for (const kind of SENSITIVE) {
    const ofKind = ofLabelled.filter(({ cell }) => cell.kind === kind);
    const columns = [...Map.groupBy(ofKind, ({ table: made, cell }) => `${made.language}: ${cell.header}`)];
    const missed = columns.filter(([, all]) => recall(recallOf(all)) < 0.5);
    const names = missed.map(([name, all]) => `${name} ${percent(all)}`);
    bench.log(`    ${kind} (${missed.length} of ${columns.length}): ${names.join('; ')}`);
  }
}

function printFalse(bench: Bench, wrong: readonly FalseFinding[]): void {
  const place = ({ cell, wrongBounds }: FalseFinding) =>
    cell === null ? 'in a header' : `${wrongBounds ? 'with wrong bounds ' : ''}in ${cell.kind}`;
  const groups = Map.groupBy(wrong, (one) => `${one.detector} ${place(one)}`);
  bench.log(`\n  false findings by detector and column (${count(wrong.length)}), the first ${LISTED}`);
  for (const [name, all] of [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, LISTED)) {
    const languages = [...new Set(all.map(({ table: made }) => made.language))].join(' ');
    const { cell } = all[0]!;
    const example = cell === null ? '' : `; e.g. ${cell.header}: ${cell.value.slice(0, 40)}`;
    bench.log(`    ${count(all.length).padStart(6)}  ${name}; ${languages}${example}`);
  }
}

function ofLanguage(code: string) {
  return ({ table: { language } }: { readonly table: GeneratedTable }) => language === code;
}

function percent(cells: readonly ScoredCell[]): string {
  return cells.length === 0 ? '–' : (100 * recall(recallOf(cells))).toFixed(0);
}
