/** Joins findings with the cells of generated tables. */
import type { ReportedFinding } from '../noise/findings.ts';
import type { Score } from '../score.ts';
import type { ColumnKind } from './headers.ts';
import { NATIONAL_IDS } from './identifiers.ts';
import type { Cell, GeneratedTable } from './table-file.ts';

const DETECTORS: Readonly<Partial<Record<ColumnKind, readonly string[]>>> = {
  first_name: ['NAME'],
  last_name: ['NAME', 'MAIDEN_NAME'],
  full_name: ['NAME'],
  email: ['EMAIL'],
  phone: ['PHONE'],
  street: ['ADDRESS'],
  full_address: ['ADDRESS'],
  postal_code: ['POSTAL_CODE'],
  birth_date: ['DATE_DOB'],
  iban: ['IBAN'],
  card: ['CREDIT_CARD'],
  user_name: ['USERNAME'],
  password: ['PASSWORD'],
  salary: ['SALARY'],
  ip: ['IP_ADDRESS'],
};

/** Neither required nor wrong: parts of an address. */
const TOLERATED: Readonly<Partial<Record<ColumnKind, readonly string[]>>> = {
  full_address: ['POSTAL_CODE'],
  city: ['ADDRESS'],
};

/** Share of a value from which on it is found. */
const MIN_SHARE = 0.5;

export interface ScoredCell {
  readonly table: GeneratedTable;
  readonly cell: Cell;
  readonly found: boolean;
}

export interface FalseFinding {
  readonly table: GeneratedTable;
  readonly detector: string;
  /** Null: in a header, or across cells. */
  readonly cell: Cell | null;
  /** The right detector for the cell, but too little or too much of its value. */
  readonly wrongBounds: boolean;
}

export interface TableScores {
  readonly cells: readonly ScoredCell[];
  readonly falseFindings: readonly FalseFinding[];
}

export function scoreTable(table: GeneratedTable, findings: readonly ReportedFinding[]): TableScores {
  const found = new Set<Cell>();
  const falseFindings: FalseFinding[] = [];
  for (const finding of findings) {
    const cell = cellAt(table.cells, finding);
    const isRightKind = cell !== null && detectorsOf(table, cell.kind).includes(finding.detector);
    if (cell !== null && isRightKind && cell.sensitive && covers(finding, cell)) found.add(cell);
    else if (!TOLERATED[cell?.kind ?? 'notes']?.includes(finding.detector))
      falseFindings.push({ table, detector: finding.detector, cell, wrongBounds: isRightKind });
  }
  const cells = table.cells
    .filter(({ sensitive }) => sensitive)
    .map((cell) => ({ table, cell, found: found.has(cell) }));
  return { cells, falseFindings };
}

export function detectorsOf({ language }: GeneratedTable, kind: ColumnKind): readonly string[] {
  return kind === 'national_id' ? [NATIONAL_IDS[language]!.detector] : (DETECTORS[kind] ?? []);
}

function cellAt(cells: readonly Cell[], { start, end }: ReportedFinding): Cell | null {
  let low = 0;
  let high = cells.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  const cell = cells[low];
  return cell === undefined || cell.start >= end ? null : cell;
}

/** Most of the value, and not much else. */
function covers({ start, end }: ReportedFinding, cell: Cell): boolean {
  const covered = Math.min(cell.end, end) - Math.max(cell.start, start);
  return covered >= MIN_SHARE * (cell.end - cell.start) && end - start - covered <= covered;
}

export function recallOf(cells: readonly ScoredCell[]): Score {
  const found = cells.filter((cell) => cell.found).length;
  return { found, missed: cells.length - found, invented: 0 };
}
