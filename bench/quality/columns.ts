/** Columns of tables that people classed: judged as a scan judges them, by their values and their name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyColumn } from '../../src/detection/classify-column.ts';
import type { Bench } from '../benchmark.ts';
import { table } from '../figures.ts';
import { SCORE_HEADS, type Scores, scoreOf, scoreRow, total } from './score.ts';

type Tables = Readonly<
  Record<
    string,
    { readonly columns: Readonly<Record<string, { records: readonly string[]; pii_gt: string }>> }
  >
>;

const CLASSES: Readonly<Record<string, string>> = {
  NAME: 'PERSON_NAME',
  MAIDEN_NAME: 'PERSON_NAME',
  EMAIL: 'EMAIL_ADDRESS',
  PHONE: 'PHONE_NUMBER',
  ADDRESS: 'STREET_ADDRESS',
  DATE_DOB: 'DATE_OF_BIRTH',
  POSTAL_CODE: 'ZIPCODE',
  IP_ADDRESS: 'IP_ADDRESS',
  MAC_ADDRESS: 'IMEI_HARDWARE_ID',
  IMEI: 'IMEI_HARDWARE_ID',
  DEVICE_ID: 'IMEI_HARDWARE_ID',
  GENDER: 'GENDER',
  GPS_COORDINATES: 'GEO_COORDINATES',
  ETHNIC_GROUP: 'ETHNIC_GROUP',
  URL: 'URL',
  AGE: 'AGE',
  ORGANIZATION: 'ORGANIZATION_NAME',
};

export function scoreColumns(bench: Bench, folder: string): void {
  const tables: Tables = JSON.parse(readFileSync(join(folder, 'table-columns.json'), 'utf8'));
  const classes = [...new Set(Object.values(CLASSES))];
  const scores: Scores = new Map();
  let columns = 0;
  for (const { columns: all } of Object.values(tables)) {
    for (const [name, { records, pii_gt }] of Object.entries(all)) {
      columns++;
      addColumn(scores, classes.includes(pii_gt) ? pii_gt : null, classOf(name, records));
    }
  }
  bench.log(`\n  table-columns.json: ${columns} columns, most of them nothing`);
  const rows = classes.map((kind) => scoreRow(kind.toLowerCase(), scoreOf(scores, kind)));
  bench.log(table([['', ...SCORE_HEADS], ...rows, scoreRow('all classes, micro', total(scores, classes))]));
  bench.log('  Not detected: generic identifiers, marital status, language, occupation.');
}

function addColumn(scores: Scores, truth: string | null, judged: string | null): void {
  if (judged !== null && judged === truth) scoreOf(scores, judged).found++;
  else {
    if (judged !== null) scoreOf(scores, judged).invented++;
    if (truth !== null) scoreOf(scores, truth).missed++;
  }
}

function classOf(name: string, records: readonly string[]): string | null {
  const judged = classifyColumn(name, records);
  return judged === null ? null : (CLASSES[judged.detector] ?? null);
}
