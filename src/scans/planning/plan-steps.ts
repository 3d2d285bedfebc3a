/** The plan of a scan: where to cut it before anybody has worked on it. Pure: whoever runs it does the looking. */
import type { Key } from '../../base/key.ts';
import { EVERYTHING, type Range } from '../../base/range.ts';
import { cutsFor } from './cutting.ts';
import { Explorer } from './explorer.ts';
import { type Hint, hintsFor } from './hint.ts';
import type { Looking } from './looking.ts';

export interface PlanSettings {
  readonly minObjectsPerShard: number;
  readonly maxInitialShards: number;
  /** Shards to begin with when too few calls are allowed to tell how much there is. */
  readonly unknownShards: number;
  readonly listCalls: number;
}

export interface Plan {
  readonly cuts: readonly Key[];
  /** Of each part between the cuts. */
  readonly hints: readonly Hint[];
  readonly explorer: Explorer;
}

/** Looks at a time. Each round knows more than the one before; but workers wait for a plan. */
const AT_ONCE = 16;
const AT_ONCE_IN_HASTE = 32;
/** A call gives a thousand keys, but a guess may be too low. */
const A_CALL = 500;

export function* planSteps(settings: PlanSettings): Looking<Plan> {
  const explorer = yield* exploreSteps(settings.listCalls, AT_ONCE_IN_HASTE, isPlanEnough);
  const cuts = cutsFor(explorer, Math.min(settings.maxInitialShards, shardsFor(explorer, settings)));
  return { cuts, hints: hintsFor(explorer, cuts), explorer };
}

function shardsFor(
  explorer: Explorer,
  { listCalls, minObjectsPerShard, unknownShards }: PlanSettings,
): number {
  const isTold = listCalls > 1 || explorer.gaps().length === 0;
  return isTold ? Math.floor(explorer.total / minObjectsPerShard) : unknownShards;
}

/** Listing requests that a plan may cost in any case, and of those that the scan itself will need. */
const FIRST_CALLS = 32;
const SHARE_OF_PAGES = 1 / 8;
const PAGE = 1000;
/** As sure as it need be. */
const SURE = 0.1;

/** A plan only saves splits: for a small bucket, or one that turns out to be even, a few looks are enough. */
function isPlanEnough({ parts, total }: Explorer, used: number): boolean {
  if (used < FIRST_CALLS) return false;
  const most = parts.reduce((sum, part) => sum + part.most, 0);
  return used > FIRST_CALLS + (SHARE_OF_PAGES * total) / PAGE || most < (1 + SURE) * total;
}

/** Looks around until that is enough, the calls are used up, or nothing is left to look at. */
export function* exploreSteps(
  calls: number,
  mostAtOnce = AT_ONCE,
  isEnough: (explorer: Explorer, used: number) => boolean = () => false,
): Looking<Explorer> {
  const explorer = new Explorer(EVERYTHING);
  if (calls < 1) return explorer;
  explorer.add(yield [EVERYTHING]);
  for (let used = 1; used < calls && !isEnough(explorer, used); ) {
    const atOnce = Math.min(mostAtOnce, Math.max(AT_ONCE, used));
    const looks = looksNext(explorer, calls - used, atOnce);
    if (looks.length === 0) break;
    used += looks.length;
    explorer.add(yield looks);
  }
  return explorer;
}

/** Gaps that a call each would close are closed, if the calls suffice; else they are spread over what is guessed to be there. */
function looksNext(explorer: Explorer, left: number, atOnce: number): Range[] {
  const most = Math.min(atOnce, left);
  const gaps = explorer.gaps();
  const areSmall = gaps.length <= left && gaps.every(({ count }) => count < A_CALL);
  return areSmall
    ? explorer.looksAt(gaps.slice(0, most).map(({ after }) => after))
    : explorer.nextLooks(most);
}
