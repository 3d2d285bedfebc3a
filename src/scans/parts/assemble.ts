/** The end of a huge object: what was staged is joined and written as if one thread had read it from end to end. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { DEFAULT_WEIGHTS, type Weights, withOverrides } from '../../governance/weights.ts';
import { scored } from '../detect/scored.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import type { PartedObject } from './part.ts';
import { join, type PartResult } from './part-result.ts';
import { readResults, readStagedFindings } from './part-store.ts';

export interface Judging {
  readonly weights: Weights;
  /** Findings kept of each object and type. */
  readonly keepEach: number;
}

export function judgingOf(rules: RuleSet, keepEach: number): Judging {
  return { weights: withOverrides(DEFAULT_WEIGHTS, rules.weights), keepEach };
}

type Staged = Omit<PartResult, 'findings'>;

export async function assemble(tx: Tx, parted: PartedObject, judging: Judging): Promise<Inspection> {
  const rows = await readResults(tx, parted.id);
  const kept = await readStagedFindings(tx, parted.id, rowsThatMatter(rows, judging.keepEach));
  const results = rows.map((row): PartResult => ({ ...row, findings: kept.get(row.from) ?? [] }));
  checkTiles(parted, results);
  return inspectionOf(
    results.reduce((left, right) => join(left, right, judging.keepEach)),
    judging.weights,
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
export function inspectionOf(result: PartResult, weights: Weights): Inspection {
  const { outcome, reason, bytesRead, evidence, types } = result;
  if (outcome === 'dead' || outcome === 'skipped')
    return { ...notRead(outcome, reason, false), ...(evidence && { evidence }) };
  if (outcome === 'scanned' && types.length === 0) return clean(bytesRead);
  const findings = result.findings.map((finding) => ({ ...finding, line: finding.line + 1 }));
  const stable = outcome === 'scanned';
  return { outcome, reason, stable, bytesRead, findings, ...scored(types, weights) };
}
