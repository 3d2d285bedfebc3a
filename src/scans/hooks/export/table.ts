/**
 * The tables of an export. A row is the same record in every format: JSON lines write it whole, Parquet by
 * column.
 */
import type { Finding } from '../../results/finding.ts';
import { findingJson, keyJson, SCHEMA_VERSION } from '../../results/finding-json.ts';
import type { ObjectRecord } from '../../results/finding-store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** `texts`: a list of texts. `counts`: numbers by name. `time`: ISO 8601 text in JSON. */
export type ColumnType = 'text' | 'integer' | 'number' | 'time' | 'texts' | 'counts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** May be null or missing. */
  readonly optional?: true;
}

export interface Table {
  readonly name: 'findings' | 'objects';
  readonly columns: readonly Column[];
}

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });
const optional = (column: Column): Column => ({ ...column, optional: true });

const ABOUT_KEY = [
  integer('schemaVersion'),
  text('scan'),
  text('source'),
  text('key'),
  optional(text('keyHex')),
];

export const FINDINGS: Table = {
  name: 'findings',
  columns: [
    ...ABOUT_KEY,
    optional(text('part')),
    text('detector'),
    text('category'),
    optional(text('field')),
    integer('start'),
    integer('end'),
    integer('line'),
    integer('column'),
    { name: 'confidence', type: 'number' },
    text('tier'),
    text('masked'),
    text('fingerprint'),
    { name: 'reasons', type: 'texts' },
    optional(text('context')),
    optional({ name: 'baseConfidence', type: 'number' }),
    optional({ name: 'entropy', type: 'number' }),
    { name: 'contested', type: 'texts' },
    text('handle'),
  ],
};

/** Only objects with findings or errors: the others are only counted in the coverage, in the manifest. */
export const OBJECTS: Table = {
  name: 'objects',
  columns: [
    ...ABOUT_KEY,
    text('outcome'),
    optional(text('reason')),
    integer('size'),
    optional({ name: 'modified', type: 'time' }),
    optional(integer('score')),
    optional(text('tier')),
    { name: 'counts', type: 'counts' },
    { name: 'policies', type: 'texts' },
    optional(text('note')),
  ],
};

export function findingRow(finding: Finding): Row {
  return findingJson(finding);
}

export function objectRow(scan: { id: number; source: string }, object: ObjectRecord): Row {
  return {
    schemaVersion: SCHEMA_VERSION,
    scan: String(scan.id),
    source: scan.source,
    ...keyJson(object.key),
    outcome: object.outcome,
    reason: object.reason === '' ? null : object.reason,
    size: object.size,
    modified: object.modified?.toISOString() ?? null,
    score: object.score,
    tier: object.tier,
    counts: object.counts,
    policies: Object.keys(object.policies),
    note: object.note ?? null,
  };
}
