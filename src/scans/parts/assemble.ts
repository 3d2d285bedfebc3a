/** The end of a huge object: what was staged is joined and written as if one thread had read it from end to end. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { ColumnJudge, type Found } from '../columns/column-judge.ts';
import { type Measures, measuresOf, scored } from '../detect/scored.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import type { PartedObject } from './part.ts';
import { featuresOf, join, type PartResult } from './part-result.ts';
import { readResults, readStagedFindings } from './part-store.ts';

export interface Judging extends Measures {
  readonly columns: ColumnJudge;
  /** Findings kept of each object and type. */
  readonly keepEach: number;
}

export function judgingOf(rules: RuleSet, keepEach: number): Judging {
  const detectors = detectorsOf(rules, catalogue);
  return {
    ...measuresOf(rules),
    columns: new ColumnJudge(detectors, thresholdsOf(rules, detectors)),
    keepEach,
  };
}

type Staged = Omit<PartResult, 'findings'>;

export async function assemble(tx: Tx, parted: PartedObject, judging: Judging): Promise<Inspection> {
  const rows = await readResults(tx, parted.id);
  const kept = await readStagedFindings(tx, parted.id, rowsThatMatter(rows, judging.keepEach));
  const results = rows.map((row): PartResult => ({ ...row, findings: kept.get(row.from) ?? [] }));
  checkTiles(parted, results);
  return inspectionOf(
    results.reduce((left, right) => join(left, right, judging.keepEach)),
    judging,
  );
}

/** A row matters while there are too few findings of one of its types: of a dense table only the first ones do. */
export function rowsThatMatter(rows: readonly Staged[], keepEach: number): number[] {
  const seen = new Map<string, number>();
  return rows.filter((row) => countMissing(row, seen, keepEach)).map((row) => row.from);
}

function countMissing({ types }: Staged, seen: Map<string, number>, keepEach: number): boolean {
  const matters = types.some(({ detector }) => (seen.get(detector) ?? 0) < keepEach);
  for (const { detector, count } of types) seen.set(detector, (seen.get(detector) ?? 0) + count);
  return matters;
}

function checkTiles({ object }: PartedObject, results: readonly PartResult[]): void {
  const hole = results.findIndex((result, n) => n > 0 && result.from !== results[n - 1]!.to);
  if (hole === -1 && results.at(-1)?.to === object.size) return;
  throw new SeineError('internal', `Some of ${displayKey(object.key)} is missing in its results.`);
}

/** Lines of findings count from 0 until here. */
export function inspectionOf(result: PartResult, judging: Omit<Judging, 'keepEach'>): Inspection {
  const { outcome, reason, bytesRead, evidence, suppressed } = result;
  if (outcome === 'dead' || outcome === 'skipped')
    return { ...notRead(outcome, reason, false), ...(evidence && { evidence }) };
  const { types, findings: kept, ...features } = judging.columns.judge(foundIn(result), result.columns);
  if (outcome === 'scanned' && types.length === 0 && !suppressed) return { ...clean(bytesRead), ...features };
  const findings = kept.map((finding) => ({ ...finding, line: finding.line + 1 }));
  const stable = outcome === 'scanned';
  const more = { ...features, ...(suppressed && { suppressed }) };
  return { outcome, reason, stable, bytesRead, findings, ...scored(types, judging), ...more };
}

function foundIn(result: PartResult): Found {
  const { types, findings } = result;
  return { types, findings, ...featuresOf(result) };
}
