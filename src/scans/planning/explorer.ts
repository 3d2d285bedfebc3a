/** Looking around in a range: what is known, what may be there, where to look next, where to cut. */
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import { KeySpace } from './key-space.ts';
import { clip, higher, type Known, lower, merged } from './known.ts';
import { layOut, type Part } from './terrain.ts';

export class Explorer {
  readonly range: Range;
  readonly #space = new KeySpace();
  #knowns: Known[] = [];
  #parts: Part[] | null = null;

  /** What is known may lie outside of the range: beside it, it tells how dense the keys are there. */
  constructor(range: Range, knowns: readonly Known[] = []) {
    this.range = range;
    this.add(knowns);
  }

  get knowns(): readonly Known[] {
    return this.#knowns;
  }

  add(knowns: readonly Known[]): void {
    for (const { after, upTo, keys } of knowns) {
      this.#space.learn(keys);
      this.#space.learnEmpty(after, keys[0] ?? upTo);
      if (keys.length > 0 && upTo !== keys.at(-1)) this.#space.learnEmpty(keys.at(-1)!, upTo);
    }
    this.#knowns = merged([...this.#knowns, ...knowns].sort((a, b) => (a.after < b.after ? -1 : 1)));
    this.#parts = null;
  }

  /** The range in parts, known ones and guesses. */
  get parts(): readonly Part[] {
    if (this.#parts !== null) return this.#parts;
    const first = this.#knowns[0]?.after ?? this.range.after;
    const last = this.#knowns.at(-1)?.upTo;
    const hull = {
      after: lower(first, this.range.after)!,
      upTo:
        this.range.upTo === null || last === null
          ? null
          : last !== undefined && last > this.range.upTo
            ? last
            : this.range.upTo,
    };
    this.#parts = layOut(hull, this.#knowns, this.#space).flatMap((part) => this.#inside(part));
    return this.#parts;
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

  /** Whether somebody has looked at all of it. */
  isKnown({ after, upTo }: Range): boolean {
    return this.parts.every(
      (part) =>
        part.known !== null ||
        (part.upTo !== null && part.upTo <= after) ||
        (upTo !== null && part.after >= upTo),
    );
  }

  /** How many keys of the range are not after the bound. */
  countUpTo(bound: Key): number {
    let sum = 0;
    for (const part of this.parts) {
      if (part.upTo !== null && part.upTo <= bound) sum += part.count;
      else if (part.after < bound) {
        if (part.known !== null) sum += clip(part.known, { after: part.after, upTo: bound })?.count ?? 0;
        else sum += part.count * Math.min(1, this.#space.measure(part.after, bound) / part.measure);
      } else break;
    }
    return sum;
  }

  /** Ranges to look at, in parts nobody has looked at: spread over what is guessed to be there and how unsure that is. */
  nextLooks(most: number): Range[] {
    const scores = this.parts.map(scoreOf);
    const looks: Key[] = [];
    for (const [i, number] of shareOut(scores, most).entries()) {
      const part = this.parts[i]!;
      for (let k = 1; k <= number; k++) looks.push(this.#at(part, shareOf(part, k / (number + 1))));
    }
    return this.#ranges(looks);
  }

  /** Ranges to look at before cutting: where no known key is near a cut. */
  looksForCuts(ways: number): Range[] {
    const total = this.total;
    const near = (NEAR * total) / ways;
    const places = this.#places();
    const looks: Key[] = [];
    let before = 0;
    let next = 1;
    for (const part of this.parts) {
      const targets: number[] = [];
      for (; next < ways && before + part.count >= (total * next) / ways; next++)
        targets.push((total * next) / ways);
      if (part.known === null) {
        const blind = targets.filter(
          (target) => !places.some(({ place }) => Math.abs(place - target) <= near),
        );
        for (const [k, target] of blind.entries()) {
          const share = isFar(part)
            ? shareOf(part, (k + 1) / (blind.length + 1))
            : (target - before) / part.count;
          looks.push(this.#at(part, Math.min(0.999, Math.max(0.001, share))));
        }
      }
      before += part.count;
    }
    const anchor = this.#anchor();
    if (anchor !== null) looks.push(anchor);
    return this.#ranges(looks);
  }

  /** Where to see whether there is anything beyond the folders that are known, while nobody has looked. */
  #anchor(): Key | null {
    const last = this.parts.at(-1);
    const before = this.parts.at(-2);
    if (last === undefined || last.known !== null || last.reach === null || last.reach < 0) return null;
    return before !== undefined && before.known === null ? last.after : null;
  }

  /** Known keys of the range, with the number of keys that are guessed to come before or be it. */
  #places(): { key: Key; place: number }[] {
    const places: { key: Key; place: number }[] = [];
    let before = 0;
    for (const { known, count } of this.parts) {
      for (const [i, key] of known?.keys.entries() ?? [])
        places.push({ key, place: before + known!.places[i]! + 1 });
      before += count;
    }
    places.pop(); // nothing is known to lie behind the last
    return places;
  }

  #at(part: Part, share: number): Key {
    return this.#space.between(part.after, part.upTo, share) ?? part.after;
  }

  #ranges(looks: readonly Key[]): Range[] {
    const keys = [...new Set(looks)].sort();
    return keys.map((after, i) => ({ after, upTo: lower(this.#knownFrom(after), keys[i + 1] ?? null) }));
  }

  /** Where the next known interval begins, or the range ends. */
  #knownFrom(key: Key): Key | null {
    return lower(this.#knowns.find((known) => known.after >= key)?.after ?? null, this.range.upTo);
  }

  /** Cuts into `ways` parts of about the same number of keys; fewer where no key is known to lie between two cuts. */
  cuts(ways: number): Key[] {
    const total = this.total;
    const near = (NEAR * total) / ways;
    const places = this.#places();
    const wanted: Key[] = [];
    let before = 0;
    let next = 1;
    for (const part of this.parts) {
      for (; next < ways && before + part.count >= (total * next) / ways; next++) {
        const target = (total * next) / ways;
        const best = nearest(places, target);
        const cut =
          best !== undefined && Math.abs(best.place - target) <= near
            ? best.key
            : this.#space.between(
                part.after,
                part.upTo,
                Math.min(1, Math.max(0, (target - before) / part.count)),
              );
        if (cut !== null) wanted.push(cut);
      }
      before += part.count;
    }
    const cuts = this.#apart(wanted);
    if (cuts.length > 0 || ways < 2) return cuts;
    const any = nearest(places, total / 2);
    return any === undefined ? [] : this.#apart([any.key]);
  }

  /** Only cuts with a key that somebody has seen on either side. */
  #apart(wanted: readonly Key[]): Key[] {
    const keys = this.parts.flatMap((part) => part.known?.keys ?? []);
    const cuts: Key[] = [];
    let at = 0;
    for (const cut of wanted) {
      if (!contains(this.range, cut) || cut === this.range.upTo) continue;
      const first = keys[at];
      if (first === undefined || first > cut) continue;
      let next = at;
      while (next < keys.length && keys[next]! <= cut) next++;
      if (next === keys.length) break;
      cuts.push(cut);
      at = next;
    }
    return cuts;
  }
}

/** As a share of a part's size: a known key this close to where a cut should be is good enough. */
const NEAR = 0.2;

function isFar({ reach }: Part): boolean {
  return reach !== null && Math.abs(reach) < 0.25;
}

function scoreOf(part: Part): number {
  if (part.known !== null || part.count <= 0) return 0;
  return part.count * Math.min(30, Math.sqrt(part.most / part.count));
}

/** Where there is no telling how far it goes on, the steps grow. */
function shareOf({ reach }: Part, share: number): number {
  if (reach === null) return share;
  const near = Math.abs(reach);
  if (near > 0.25) return share;
  return reach > 0 ? near ** (1 - share) : 1 - near ** share;
}

/** How many of `most` each gets: one after the other goes to whoever has most for each it has. */
function shareOut(scores: readonly number[], most: number): number[] {
  const given = scores.map(() => 0);
  for (let n = 0; n < most; n++) {
    let best = 0;
    for (const [i, score] of scores.entries())
      if (score / (given[i]! + 1) > scores[best]! / (given[best]! + 1)) best = i;
    if (!(scores[best]! > 0)) break;
    given[best]!++;
  }
  return given;
}

function nearest<T extends { place: number }>(places: readonly T[], target: number): T | undefined {
  let best: T | undefined;
  for (const one of places)
    if (best === undefined || Math.abs(one.place - target) < Math.abs(best.place - target)) best = one;
  return best;
}
