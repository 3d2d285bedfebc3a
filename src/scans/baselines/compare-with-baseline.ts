/** Compares a scan with a baseline and reports only new findings. */
import type { Database, Tx } from '../../db/database.ts';
import { type Comparison, compareWith } from '../comparing/compare.ts';
import { fillFromBaseline, fillFromFile } from '../comparing/side-store.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { readBaselineFile } from './baseline-file.ts';
import type { BaselineObject } from './baseline-store.ts';

/** A baseline in the database, or a file with the check value of this installation's key. */
export type BaselineChoice =
  | { readonly name: string; readonly id: number }
  | { readonly name: string; readonly file: string; readonly keyCheck: string };

export function compareWithBaseline<T>(
  db: Database,
  baseline: BaselineChoice,
  scan: ScanRow,
  fn: (comparison: Comparison, tx: Tx) => Promise<T>,
): Promise<T> {
  const fill = (tx: Tx) =>
    'id' in baseline
      ? fillFromBaseline(tx, baseline.id)
      : fillInPages(tx, readBaselineFile(baseline.file, baseline.keyCheck));
  return compareWith(db, fill, scan, fn);
}

const OBJECTS_AT_ONCE = 500;

async function fillInPages(tx: Tx, objects: AsyncIterable<BaselineObject>): Promise<void> {
  let page: BaselineObject[] = [];
  for await (const object of objects) {
    page.push(object);
    if (page.length < OBJECTS_AT_ONCE) continue;
    await fillFromFile(tx, page);
    page = [];
  }
  if (page.length > 0) await fillFromFile(tx, page);
}
