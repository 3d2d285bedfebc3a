/** Plans where to split a scan before it is started. Pure: the caller executes the probes. */
import type { Key } from '../../base/key.ts';
import { FULL_RANGE, type Range } from '../../base/range.ts';
import type { ProbePlan } from './probing.ts';
import { RangeEstimator } from './range-estimator.ts';
import { type SplitHint, splitHintsFor } from './split-hint.ts';
import { splitPointsFor } from './split-points.ts';

export interface PlanSettings {
  readonly minObjectsPerShard: number;
  readonly maxInitialShards: number;
  /** Number of initial shards when the allowed calls are too few for an estimate. */
  readonly unknownShards: number;
  readonly listCalls: number;
}

export interface SplitPlan {
  readonly splitPoints: readonly Key[];
  /** One for each part between the split points. */
  readonly hints: readonly SplitHint[];
  readonly estimator: RangeEstimator;
}

/** Probes per round. More rounds use more knowledge, but workers wait for the plan. */
const PROBES_PER_ROUND = 16;
const PLAN_PROBES_PER_ROUND = 32;
/** Assumed keys per probe: a call returns a thousand, but the estimate may be too low. */
const KEYS_PER_PROBE = 500;

export function* planProbes(settings: PlanSettings): ProbePlan<SplitPlan> {
  const estimator = yield* estimateProbes(settings.listCalls, PLAN_PROBES_PER_ROUND, isPlanEnough);
  const splitPoints = splitPointsFor(
    estimator,
    Math.min(settings.maxInitialShards, shardsFor(estimator, settings)),
  );
  return { splitPoints, hints: splitHintsFor(estimator, splitPoints), estimator };
}

function shardsFor(
  estimator: RangeEstimator,
  { listCalls, minObjectsPerShard, unknownShards }: PlanSettings,
): number {
  const isTold = listCalls > 1 || estimator.gaps().length === 0;
  return isTold ? Math.floor(estimator.total / minObjectsPerShard) : unknownShards;
}

/** Listing requests that a plan may always use, and as a share of those that the scan itself will need. */
const MIN_PLAN_PROBES = 32;
const SHARE_OF_PAGES = 1 / 8;
const PAGE = 1000;
/** Sufficient relative uncertainty. */
const MAX_UNCERTAINTY = 0.1;

/** A plan only saves splits: for a small or evenly distributed bucket a few probes are enough. */
function isPlanEnough({ ranges, total }: RangeEstimator, used: number): boolean {
  if (used < MIN_PLAN_PROBES) return false;
  const max = ranges.reduce((sum, part) => sum + part.maxCount, 0);
  return used > MIN_PLAN_PROBES + (SHARE_OF_PAGES * total) / PAGE || max < (1 + MAX_UNCERTAINTY) * total;
}

/** Probes until the estimate is good enough, the calls are used up, or nothing is left to probe. */
export function* estimateProbes(
  calls: number,
  maxPerRound = PROBES_PER_ROUND,
  isEnough: (estimator: RangeEstimator, used: number) => boolean = () => false,
): ProbePlan<RangeEstimator> {
  const estimator = new RangeEstimator(FULL_RANGE);
  if (calls < 1) return estimator;
  estimator.add(yield [FULL_RANGE]);
  for (let used = 1; used < calls && !isEnough(estimator, used); ) {
    const atOnce = Math.min(maxPerRound, Math.max(PROBES_PER_ROUND, used));
    const probes = nextProbes(estimator, calls - used, atOnce);
    if (probes.length === 0) break;
    used += probes.length;
    estimator.add(yield probes);
  }
  return estimator;
}

/**
 * If the calls suffice, probes every gap that one call would close; otherwise distributes them by estimated
 * size.
 */
function nextProbes(estimator: RangeEstimator, left: number, atOnce: number): Range[] {
  const max = Math.min(atOnce, left);
  const gaps = estimator.gaps();
  const areSmall = gaps.length <= left && gaps.every(({ count }) => count < KEYS_PER_PROBE);
  return areSmall
    ? estimator.probesAt(gaps.slice(0, max).map(({ after }) => after))
    : estimator.nextProbes(max);
}
