import type { Detector } from './detector.ts';
import {
  CLASS_OF,
  classesOf,
  DASH,
  DIGIT,
  DOT,
  LOWER,
  NOTABLE,
  SPACE,
  UPPER,
} from './kernel/byte-classes.ts';
import { parsePattern } from './pattern/parse.ts';
import { shapesOf } from './pattern/shapes.ts';

const LOOKED_AT = 8;
const SORTS = [0, DIGIT, UPPER, LOWER, SPACE, DASH, DOT, NOTABLE]; // the first: all other classes
const OTHERS = ~SORTS.reduce((all, one) => all | one);
/** By byte, which of the sorts it is. */
const SORT_OF = Uint8Array.from(CLASS_OF, (one) => Math.max(0, SORTS.indexOf(one)));
const KEPT = 1 << 16;

/**
 * Whose labelled values may begin at a place, by the sorts of its first bytes. Most numbers look like nobody's, and whoever they
 * look like has been worked out before.
 */
export class LabelledIndex {
  readonly #shapes: readonly { readonly detector: number; readonly classes: readonly number[] }[];
  readonly #known = new Map<number, readonly number[]>();

  constructor(detectors: readonly Detector[]) {
    this.#shapes = detectors.flatMap(({ anchors }, detector) =>
      anchors
        .flatMap((anchor) =>
          'pattern' in anchor && anchor.labelled ? shapesOf(parsePattern(anchor.pattern)) : [],
        )
        .map(({ sets }) => ({ detector, classes: sets.slice(0, LOOKED_AT).map(classesOf) })),
    );
  }

  at(bytes: Buffer, at: number): readonly number[] {
    let key = 0;
    for (let n = 0; n < LOOKED_AT; n++) key |= SORT_OF[bytes[at + n]!]! << (3 * n);
    return this.#known.get(key) ?? this.#learn(key);
  }

  #learn(key: number): readonly number[] {
    const fits = (classes: readonly number[]) =>
      classes.every((one, n) => {
        const sort = (key >> (3 * n)) & 7;
        return (one & (sort === 0 ? OTHERS : SORTS[sort]!)) !== 0;
      });
    const who = [
      ...new Set(this.#shapes.filter(({ classes }) => fits(classes)).map(({ detector }) => detector)),
    ];
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(key, who);
    return who;
  }
}
