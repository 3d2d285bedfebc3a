/** Explains why a finding was reported, from what its scan stored. */
import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { Queryable } from '../../db/database.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { LEGACY_STANDING } from '../../detection/catalogue-info.ts';
import { compileContext, fieldWords } from '../../detection/context/context.ts';
import type { Detector } from '../../detection/detector.ts';
import { describePrefilter } from '../../detection/explain/prefilter-text.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import { type RuleSet, thresholdOf } from '../../governance/rule-set.ts';
import { type Score, scoreObject } from '../../governance/score.ts';
import { weightsOf } from '../../governance/weights-of.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { countTypesAbove } from '../results/confidence-histogram.ts';
import { type FindingId, formatFindingId } from '../results/finding-id.ts';
import { roundConfidence } from '../results/finding-json.ts';
import type { FoundValue } from '../results/inspection.ts';
import type { ObjectOutcome } from '../results/report.ts';
import { readFinding, readObject, type StoredObject } from './explain-store.ts';

export interface FindingExplanation {
  readonly handle: string;
  readonly source: string;
  readonly key: Key;
  readonly finding: FoundValue;
  /** Null: this version of Seine has no such detector. */
  readonly detector: DetectorSummary | null;
  /** The prefilters of this detector. */
  readonly anchors: readonly string[];
  readonly checks: readonly string[];
  readonly context: readonly ContextHit[];
  /** Reasons for a lower confidence. */
  readonly against: readonly string[];
  readonly confidence: {
    /** Null for a scan by a version that did not store the parts. */
    readonly base: number | null;
    readonly context: number | null;
    readonly total: number;
    readonly threshold: number;
  };
  readonly contested: readonly string[];
  readonly object: {
    readonly outcome: ObjectOutcome;
    readonly size: number;
    readonly score: Score | null;
    /** Those that match, with the detectors that contribute. */
    readonly policies: PolicyMatches;
  };
}

interface DetectorSummary extends Pick<Detector, 'title' | 'strength' | 'regulations'> {
  /** The former name of the strength. */
  readonly standing: string;
}

/** `word`: which of the detector's context words; null if the scan only stored that there was one. */
export interface ContextHit {
  readonly by: 'field name' | 'context word';
  readonly word: string | null;
}

export async function explainFinding(
  db: Queryable,
  scan: ScanRow,
  handle: FindingId,
): Promise<FindingExplanation> {
  const object = await readObject(db, handle);
  const finding = object && (await readFinding(db, handle));
  if (!object || !finding) throw notFound(handle);
  const detectors = detectorsOf(scan.ruleSet, catalogue);
  const detector = detectors.find(({ id }) => id === finding.detector) ?? null;
  return {
    handle: formatFindingId(handle),
    source: scan.source,
    key: object.key,
    finding,
    detector: detector && summaryOf(detector),
    anchors: (detector?.prefilters ?? []).map(describePrefilter),
    checks: finding.reasons.filter((reason) => !CONTEXT.includes(reason) && !AGAINST.includes(reason)),
    context: contextOf(finding, detector),
    against: finding.reasons.filter((reason) => AGAINST.includes(reason)),
    confidence: confidenceOf(finding, scan.ruleSet),
    contested: finding.features?.contested ?? [],
    object: objectOf(object, scan.ruleSet),
  };
}

const CONTEXT: readonly string[] = ['context word', 'field name'];
const AGAINST: readonly string[] = [
  'test value',
  'documentation range',
  'private range',
  'other meaning likely',
];

function summaryOf({ title, strength, regulations }: Detector): DetectorSummary {
  return { title, strength, standing: LEGACY_STANDING[strength], regulations };
}

function contextOf({ reasons, field }: FoundValue, detector: Detector | null): ContextHit[] {
  const test = detector?.context ? compileContext(detector.context) : null;
  const hits: ContextHit[] = [];
  if (reasons.includes('field name'))
    hits.push({ by: 'field name', word: test?.positiveWord(fieldWords(field ?? '')) ?? null });
  if (reasons.includes('context word')) hits.push({ by: 'context word', word: null });
  return hits;
}

function confidenceOf(finding: FoundValue, rules: RuleSet): FindingExplanation['confidence'] {
  const { features } = finding;
  return {
    base: features?.base ?? null,
    context: features ? (features.context ?? 0) : null,
    total: roundConfidence(finding.confidence),
    threshold: thresholdOf(rules, finding.detector),
  };
}

function objectOf(object: StoredObject, rules: RuleSet): FindingExplanation['object'] {
  const { outcome, size, policies } = object;
  return { outcome, size, policies, score: scoreOf(object, rules) };
}

/** The score as the scan computed it. Null for a scan by a version that did not store levels. */
function scoreOf({ confidenceHistogram: levels }: StoredObject, rules: RuleSet): Score | null {
  if (levels === null) return null;
  const types = countTypesAbove(levels, (id) => thresholdOf(rules, id));
  return types.length === 0 ? null : scoreObject(types, weightsOf(rules));
}

function notFound(handle: FindingId): SeineError {
  return new SeineError('not-found', `No finding ${formatFindingId(handle)}.`, {
    hint: `seine findings ${handle.scan} lists the findings of the scan with their ids.`,
  });
}
