/** Looking around in a range: what is known, what may be there, where to look next. Where to cut is told in cutting.ts. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { KeySpace } from './key-space.ts';
import { clip, higher, type Known, lower, merged, slackAt, widestIn, withNewer } from './known.ts';
import type { Part } from './part.ts';
import { layOut } from './terrain.ts';

export class Explorer {
  readonly range: Range;
  readonly #space = new KeySpace();
  #knowns: readonly Known[] = [];
  #parts: readonly Part[] | null = null;

  /** What is known may lie outside of the range: beside it, it tells how dense the keys are there. */
  constructor(range: Range, knowns: readonly Known[] = []) {
    this.range = range;
    this.add(knowns);
  }

  get knowns(): readonly Known[] {
    return this.#knowns;
  }

  /** Where somebody has looked before, the newer look counts. */
  add(knowns: readonly Known[]): void {
    for (const { after, upTo, keys } of knowns) {
      this.#space.learn(keys);
      this.#space.learnEmpty(after, keys[0] ?? upTo);
      if (keys.length > 0 && upTo !== keys.at(-1)) this.#space.learnEmpty(keys.at(-1)!, upTo);
    }
    this.#knowns = merged(knowns.reduce<readonly Known[]>(withNewer, this.#knowns));
    this.#parts = null;
  }

  /** The range in parts, known ones and guesses. */
  get parts(): readonly Part[] {
    this.#parts ??= layOut(this.#hull(), this.#knowns, this.#space).flatMap((part) => this.#inside(part));
    return this.#parts;
  }

  /** The range with everything that is known beside it. */
  #hull(): Range {
    const { after, upTo } = this.range;
    const last = this.#knowns.at(-1)?.upTo;
    const first = this.#knowns[0]?.after ?? after;
    if (upTo === null || last === null) return { after: lower(first, after)!, upTo: null };
    return { after: lower(first, after)!, upTo: last === undefined ? upTo : higher(last, upTo) };
  }

  #inside(part: Part): Part[] {
    const after = higher(part.after, this.range.after);
    const upTo = lower(part.upTo, this.range.upTo);
    if (after === part.after && upTo === part.upTo) return [part];
    if (upTo !== null && upTo <= after) return [];
    if (part.known !== null) {
      const known = clip(part.known, this.range)!;
      return [{ ...part, ...known, known, most: known.count }];
    }
    const measure = this.#space.measure(after, upTo);
    const share = Math.min(1, measure / part.measure);
    return [{ ...part, after, upTo, measure, count: part.count * share, most: part.most * share }];
  }

  get total(): number {
    return this.parts.reduce((sum, part) => sum + part.count, 0);
  }

  /** How far off the number of keys in the range may be, although somebody has looked at them. */
  slackOf({ after, upTo }: Range): number {
    const at = (bound: Key) => this.#knowns.reduce((sum, known) => sum + slackAt(known, bound), 0);
    return at(after) + (upTo === null ? 0 : at(upTo));
  }

  /** The most keys between two of which the places are known. */
  get widest(): number {
    return Math.max(0, ...this.parts.map(({ known }) => (known === null ? 0 : widestIn(known))));
  }

  /** Whether somebody has looked at all of it. */
  isKnown({ after, upTo }: Range): boolean {
    const isBeside = (part: Part) =>
      (part.upTo !== null && part.upTo <= after) || (upTo !== null && part.after >= upTo);
    return this.parts.every((part) => part.known !== null || isBeside(part));
  }

  /** Stretches that nobody has looked at, each up to the next that is known. */
  gaps(): { after: Key; count: number }[] {
    const gaps: { after: Key; count: number }[] = [];
    let open = false;
    for (const { known, after, count } of this.parts) {
      if (known === null && open) gaps.at(-1)!.count += count;
      if (known === null && !open) gaps.push({ after, count });
      open = known === null;
    }
    return gaps;
  }

  /** How many keys of the range are not after the bound. */
  countUpTo(bound: Key): number {
    let sum = 0;
    for (const part of this.parts) {
      if (part.after >= bound) break;
      if (part.upTo !== null && part.upTo <= bound) sum += part.count;
      else if (part.known !== null) sum += clip(part.known, { after: part.after, upTo: bound })?.count ?? 0;
      else sum += part.count * Math.min(1, this.#space.measure(part.after, bound) / part.measure);
    }
    return sum;
  }

  /** Ranges to look at next, most where most is guessed to be and least is sure. */
  nextLooks(most: number): Range[] {
    const given = shareOut(this.parts.map(scoreOf), most);
    return this.looksAt(
      this.parts.flatMap((part, i) =>
        Array.from({ length: given[i]! }, (_, k) =>
          this.keyIn(part, stepShare(part, (k + 1) / (given[i]! + 1))),
        ),
      ),
    );
  }

  /** A key at this share of a part; its start where there is none inside. */
  keyIn(part: Part, share: number): Key {
    return this.#space.between(part.after, part.upTo, Math.min(0.999, Math.max(0.001, share))) ?? part.after;
  }

  /** From each of the keys on, up to the next of them or to what is known. */
  looksAt(keys: readonly Key[]): Range[] {
    const sorted = [...new Set(keys)].sort();
    return sorted.map((after, i) => {
      const known = this.#knowns.find((one) => one.after >= after)?.after ?? null;
      return { after, upTo: lower(lower(known, this.range.upTo), sorted[i + 1] ?? null) };
    });
  }
}

/** How far it goes on is open, and it may go on for very long. */
export function isFar({ reach }: Part): boolean {
  return reach !== null && Math.abs(reach) < 0.25;
}

/** Where there is no telling how far it goes on, the steps grow: the first is as near as what is known is long. */
export function stepShare(part: Part, share: number): number {
  if (!isFar(part)) return share;
  const near = Math.abs(part.reach!);
  return part.reach! > 0 ? near ** (1 - share) : 1 - near ** share;
}

function scoreOf({ known, count, most }: Part): number {
  if (known !== null || count <= 0) return 0;
  return count * Math.min(30, Math.sqrt(most / count));
}

/** How many of `most` each gets: one after the other goes to whoever has most for each it has. */
function shareOut(scores: readonly number[], most: number): number[] {
  const given = scores.map(() => 0);
  for (let n = 0; n < most; n++) {
    let best = 0;
    for (const [i, score] of scores.entries()) {
      if (score / (given[i]! + 1) > scores[best]! / (given[best]! + 1)) best = i;
    }
    if (!(scores[best]! > 0)) break;
    given[best]!++;
  }
  return given;
}
