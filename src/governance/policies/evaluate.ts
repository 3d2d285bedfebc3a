/** Evaluates which policies an object's findings match, and by which findings. */
import type { DetectorInfo } from '../packs/packs.ts';
import type { TypeCount } from '../score.ts';
import type { Condition, Policy } from './policy.ts';
import { selectorOf } from './select.ts';

/**
 * By policy, the detectors whose findings contribute, in the order they were found; their counts are stored
 * beside it.
 */
export type PolicyMatches = Readonly<Record<string, readonly string[]>>;

export type PolicyEvaluator = (types: readonly TypeCount[]) => PolicyMatches;

/** Resolves names once, not for every object. */
export function compilePolicies(
  policies: readonly Policy[],
  detectors: readonly DetectorInfo[],
): PolicyEvaluator {
  const rules = policies.map((policy) => ({
    id: policy.id,
    when: compile(policy.when, 0, detectors),
    excluded: new Set(policy.excludeIfOnly.flatMap((name) => idsOf(name, detectors))),
  }));
  return (types) => {
    const matches: Record<string, readonly string[]> = {};
    for (const { id, when, excluded } of rules) {
      const evidence = when(types);
      if (evidence === null || [...evidence].every((detector) => excluded.has(detector))) continue;
      matches[id] = types.map(({ detector }) => detector).filter((detector) => evidence.has(detector));
    }
    return matches;
  };
}

/** Returns the contributing detectors; null: the condition is false. */
type CompiledCondition = (types: readonly TypeCount[]) => ReadonlySet<string> | null;

function compile(
  condition: Condition,
  outerMinConfidence: number,
  detectors: readonly DetectorInfo[],
): CompiledCondition {
  const least = Math.max(outerMinConfidence, condition.minConfidence ?? 0);
  const test = compileInside(condition, least, detectors);
  const { minCount = 1 } = condition;
  return (types) => {
    const evidence = test(types);
    return evidence !== null && countOf(types, evidence) >= minCount ? evidence : null;
  };
}

function compileInside(
  condition: Condition,
  minConfidence: number,
  detectors: readonly DetectorInfo[],
): CompiledCondition {
  if ('one' in condition) {
    const ids = new Set(idsOf(condition.one, detectors));
    return (types) =>
      nonEmpty(types.filter((type) => ids.has(type.detector) && roundedConfidence(type) >= minConfidence));
  }
  const all = 'allOf' in condition;
  const parts = (all ? condition.allOf : condition.anyOf).map((part) =>
    compile(part, minConfidence, detectors),
  );
  return (types) => {
    const evidence = parts.map((part) => part(types));
    const holding = evidence.filter((each) => each !== null);
    if (holding.length === 0 || (all && holding.length < parts.length)) return null;
    return new Set(holding.flatMap((each) => [...each]));
  };
}

/** Stored as 32-bit floats; 0.9 must not be less than 0.9. */
function roundedConfidence({ confidence }: TypeCount): number {
  return Math.round(confidence * 10_000) / 10_000;
}

function nonEmpty(types: readonly TypeCount[]): Set<string> | null {
  return types.length === 0 ? null : new Set(types.map(({ detector }) => detector));
}

function countOf(types: readonly TypeCount[], evidence: ReadonlySet<string>): number {
  return types.reduce((sum, type) => sum + (evidence.has(type.detector) ? type.count : 0), 0);
}

function idsOf(name: string, detectors: readonly DetectorInfo[]): string[] {
  return detectors.filter(selectorOf(name)).map(({ id }) => id);
}
