/** The plan of a scan: where to cut it before anybody has worked on it. Pure: whoever runs it does the looking. */
import { EVERYTHING } from '../../base/range.ts';
import { Explorer } from './explorer.ts';
import { hintsFor, type Looking, type Split } from './splitting.ts';

export interface PlanSettings {
  readonly minObjectsPerShard: number;
  readonly maxInitialShards: number;
  /** Shards to begin with when nothing can be told. */
  readonly unknownShards: number;
  readonly listCalls: number;
}

const AT_ONCE = 16;

/** Looks around until the calls are used up or nothing is left to look at. */
export function* exploreSteps(calls: number): Looking<Explorer> {
  const explorer = new Explorer(EVERYTHING);
  explorer.add(yield [EVERYTHING]);
  for (let used = 1; used < calls; ) {
    const looks = explorer.nextLooks(Math.min(AT_ONCE, calls - used));
    if (looks.length === 0) break;
    used += looks.length;
    explorer.add(yield looks);
  }
  return explorer;
}

export function* planSteps(settings: PlanSettings): Looking<Split & { readonly explorer: Explorer }> {
  const explorer = yield* exploreSteps(settings.listCalls);
  const shards = Math.min(
    settings.maxInitialShards,
    Math.floor(explorer.total / settings.minObjectsPerShard),
  );
  const cuts = shards < 2 ? [] : explorer.cuts(shards);
  return { cuts, hints: hintsFor(explorer, cuts), explorer };
}
