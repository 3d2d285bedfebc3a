/**
 * Ends a huge object: staged results are joined and written as if one thread had read it from start to end.
 */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { ColumnClassifier, type ObjectFindings } from '../columns/column-classifier.ts';
import { type ScoringRules, scoreTypes, scoringRulesFor } from '../detect/score-types.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { clean, type Inspection, notRead } from '../results/inspection.ts';
import type { SegmentedObject } from './segment.ts';
import { featuresOf, joinSegments, type SegmentResult } from './segment-result.ts';
import { readSegmentResults, readStagedFindings } from './segment-store.ts';

export interface ObjectScoring extends ScoringRules {
  readonly columns: ColumnClassifier;
  /** Number of findings kept per object and type. */
  readonly maxFindingsPerType: number;
}

export function objectScoringFor(rules: RuleSet, maxFindingsPerType: number): ObjectScoring {
  const detectors = detectorsOf(rules, catalogue);
  return {
    ...scoringRulesFor(rules),
    columns: new ColumnClassifier(detectors, thresholdsOf(rules, detectors)),
    maxFindingsPerType,
  };
}

type StagedResult = Omit<SegmentResult, 'findings'>;

export async function assembleSegments(
  tx: Tx,
  parted: SegmentedObject,
  judging: ObjectScoring,
): Promise<Inspection> {
  const rows = await readSegmentResults(tx, parted.id);
  const kept = await readStagedFindings(tx, parted.id, neededRows(rows, judging.maxFindingsPerType));
  const results = rows.map((row): SegmentResult => ({ ...row, findings: kept.get(row.from) ?? [] }));
  checkContiguous(parted, results);
  return toInspection(
    results.reduce((left, right) => joinSegments(left, right, judging.maxFindingsPerType)),
    judging,
  );
}

/** Rows that can contribute kept findings: in a dense table only the first ones do. */
export function neededRows(rows: readonly StagedResult[], maxFindingsPerType: number): number[] {
  const seen = new Map<string, number>();
  return rows.filter((row) => isNeeded(row, seen, maxFindingsPerType)).map((row) => row.from);
}

function isNeeded({ types }: StagedResult, seen: Map<string, number>, maxFindingsPerType: number): boolean {
  const matters = types.some(({ detector }) => (seen.get(detector) ?? 0) < maxFindingsPerType);
  for (const { detector, count } of types) seen.set(detector, (seen.get(detector) ?? 0) + count);
  return matters;
}

function checkContiguous({ object }: SegmentedObject, results: readonly SegmentResult[]): void {
  const hole = results.findIndex((result, n) => n > 0 && result.from !== results[n - 1]!.to);
  if (hole === -1 && results.at(-1)?.to === object.size) return;
  throw new SeineError('internal', `Some of ${displayKey(object.key)} is missing in its results.`);
}

/** Converts relative line numbers of findings, which start at 0, to absolute ones. */
export function toInspection(
  result: SegmentResult,
  judging: Omit<ObjectScoring, 'maxFindingsPerType'>,
): Inspection {
  const { outcome, reason, bytesRead, evidence, suppressed } = result;
  if (outcome === 'dead' || outcome === 'skipped')
    return { ...notRead(outcome, reason, false), ...(evidence && { evidence }) };
  const { types, findings: kept, ...features } = judging.columns.classify(toFindings(result), result.columns);
  if (outcome === 'scanned' && types.length === 0 && !suppressed) return { ...clean(bytesRead), ...features };
  const findings = kept.map((finding) => ({ ...finding, line: finding.line + 1 }));
  const stable = outcome === 'scanned';
  const more = { ...features, ...(suppressed && { suppressed }) };
  return { outcome, reason, stable, bytesRead, findings, ...scoreTypes(types, judging), ...more };
}

function toFindings(result: SegmentResult): ObjectFindings {
  const { types, findings } = result;
  return { types, findings, ...featuresOf(result) };
}
