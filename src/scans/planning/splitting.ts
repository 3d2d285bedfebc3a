/** How a thief cuts what another holder has left. Pure: whoever runs it does the looking. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { Explorer } from './explorer.ts';
import type { Known } from './known.ts';

/** Asks for looks, round by round, and ends with an answer. */
export type Looking<T> = Generator<readonly Range[], T, readonly Known[]>;

/** What a part is expected to hold, and what is known of it and beside it. */
export interface Hint {
  readonly expected: number;
  /** Nothing of it is a guess. */
  readonly exact: boolean;
  readonly knowns: readonly Known[];
}

export interface Split {
  readonly cuts: readonly Key[];
  /** One more than cuts: of each part between them. */
  readonly hints: readonly Hint[];
}

export interface SplitSettings {
  ways: number;
  rounds: number;
  /** Fewer keys are not worth a cut. */
  least: number;
}

export function* splitSteps(free: Range, knowns: readonly Known[], settings: SplitSettings): Looking<Split> {
  const explorer = new Explorer(free, knowns);
  for (let round = 0; round < settings.rounds; round++) {
    if (explorer.total < settings.least && round > 0) break;
    const ways = Math.min(settings.ways, Math.max(2, Math.floor((2 * explorer.total) / settings.least)));
    const looks = explorer.looksForCuts(ways);
    if (looks.length === 0) break;
    explorer.add(yield looks);
  }
  const ways = Math.min(settings.ways, Math.floor((2 * explorer.total) / settings.least));
  const cuts = ways < 2 ? [] : explorer.cuts(ways);
  return { cuts, hints: hintsFor(explorer, cuts) };
}

const MOST_KNOWNS = 24;

export function hintsFor(explorer: Explorer, cuts: readonly Key[]): Hint[] {
  const { range } = explorer;
  const bounds = [range.after, ...cuts];
  return bounds.map((after, i) => {
    const upTo = cuts[i] ?? range.upTo;
    const to = upTo === null ? explorer.total : explorer.countUpTo(upTo);
    return {
      expected: Math.round(to - explorer.countUpTo(after)),
      exact: explorer.isKnown({ after, upTo }),
      knowns: around(explorer.knowns, { after, upTo }),
    };
  });
}

/** Those in the range, thinned out if need be, and the next on either side. */
function around(knowns: readonly Known[], { after, upTo }: Range): Known[] {
  const from = Math.max(0, knowns.findIndex((known) => known.upTo === null || known.upTo > after) - 1);
  const end = upTo === null ? -1 : knowns.findIndex((known) => known.after >= upTo);
  const inside = knowns.slice(from, end === -1 ? knowns.length : end + 1);
  const step = Math.max(1, inside.length / MOST_KNOWNS);
  return Array.from(
    { length: Math.min(inside.length, MOST_KNOWNS) },
    (_, i) => inside[Math.floor(i * step)]!,
  );
}
