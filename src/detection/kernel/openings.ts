/**
 * Where the automaton is run: an opening is something that can be told of many places at once, looser than every pattern that begins
 * there, never stricter. Patterns that begin alike share one, since each costs a little at every byte.
 */
import type { Anchor, Detector } from '../detector.ts';
import { byteList } from '../pattern/byte-list.ts';
import { type Node, parsePattern } from '../pattern/parse.ts';
import { type Shape, shapesOf } from '../pattern/shapes.ts';
import { LENGTH as BEGINNING_LENGTH, type Beginning } from './beginnings.ts';
import { ALNUM, ANY, classesOf, DIGIT, LETTER, LOWER, UPPER } from './byte-classes.ts';
import type { Wanted } from './joint-automaton.ts';
import { isRun, LONG_RUN, type Loose, loosened, runOf, sequenceOf } from './looseness.ts';
import { WITH_LABEL } from './outcomes.ts';

/** There is one where `loose` holds. */
export interface Opening {
  readonly loose: Loose;
  /** No letter or digit may stand right before. */
  readonly startBorder: boolean;
}

/** From where the automaton may be run: at the start of a word, inside one, at a value that something names, in a named column. */
export const START = { word: 0, inside: 1, named: 2, cells: 3 } as const;

export interface Openings {
  readonly classes: readonly Opening[];
  /** Beginnings of three bytes, which are openings of another kind: at the start of a word, known to the letter, and anywhere. */
  readonly words: readonly Beginning[];
  readonly anywhere: readonly Beginning[];
  /** By start, which patterns may begin there. */
  readonly wanted: readonly (readonly Wanted[])[];
}

/** An opening looks at so many bytes, and at so many stretches of equal ones: the next would cost more than it saves. */
const ROOM = 5;
const MOST_STRETCHES = 3;
/** The first three bytes of a known beginning may be so many. */
const MOST_WORDS = 100;
const MOST_WAYS = 26;

const NUMBER: Opening = { loose: { kind: 'class', classes: DIGIT }, startBorder: true };
const CAPITALS: Opening = { loose: sequenceOf([UPPER, UPPER | DIGIT]), startBorder: true };
const RUN: Opening = { loose: runOf(ALNUM, LONG_RUN), startBorder: true };

export type PatternAnchor = Extract<Anchor, { pattern: string }>;

export function openingsOf(detectors: readonly Detector[]): Openings {
  const plan = new OpeningPlan();
  detectors.forEach(({ anchors }, index) => {
    for (const anchor of anchors) if ('pattern' in anchor) plan.add(index, anchor);
  });
  return plan.openings();
}

class OpeningPlan {
  readonly #wanted: Wanted[][] = [[], [], [], []];
  readonly #classes = new Map<string, Opening>();
  readonly #words: Beginning[] = [];
  readonly #anywhere: Beginning[] = [];

  add(detector: number, { pattern, labelled = false }: PatternAnchor): void {
    const { root, source } = parsePattern(pattern);
    const shapes = shapesOf({ root, source });
    if (shapes.some((shape) => shape.sets.length < (!labelled && isNumber(shape) ? 1 : 2)))
      throw new RangeError(`the anchor ${pattern} may begin with less than two bytes`);
    if (labelled !== false) {
      const start = labelled === 'column' ? START.cells : START.named;
      this.#wanted[start]!.push({ who: detector + WITH_LABEL, pattern: root });
    } else this.#addFree({ who: detector, pattern: root }, shapes);
  }

  #addFree(wanted: Wanted, shapes: readonly Shape[]): void {
    const startBorder = shapes.every(beginsWord);
    this.#wanted[START.word]!.push(wanted);
    if (!startBorder) this.#wanted[START.inside]!.push(wanted);
    if (shapes.every(({ sets }) => isKnown(sets, startBorder)))
      (startBorder ? this.#words : this.#anywhere).push(...shapes.map(({ sets }) => sets));
    else for (const one of openingsFor(wanted.pattern, shapes)) this.#classes.set(JSON.stringify(one), one);
  }

  openings(): Openings {
    const [words, anywhere] = [this.#words, this.#anywhere];
    return { classes: [...this.#classes.values()], words, anywhere, wanted: this.#wanted };
  }
}

/** Numbers, capitals and long runs share one each; other words have their own. */
function openingsFor(pattern: Node, shapes: readonly Shape[]): Opening[] {
  if (shapes.every((shape) => isRun(shape, LONG_RUN))) return [RUN];
  if (shapes.every(isNumber)) return [NUMBER];
  const [first, second] = [0, 1].map((n) =>
    shapes.reduce((all, { sets }) => all | (sets[n] ? classesOf(sets[n]) : ANY), 0),
  ) as [number, number];
  const startBorder = shapes.every(beginsWord);
  if (startBorder && ((first | second) & ~(DIGIT | UPPER)) === 0)
    return first & DIGIT ? [NUMBER, CAPITALS] : [CAPITALS];
  return [{ loose: loosened(pattern, ROOM, MOST_STRETCHES), startBorder }];
}

/** No letter or digit before it: at a byte that is none itself, `\b` says nothing. */
function beginsWord({ sets, startBorder }: Shape): boolean {
  return startBorder && sets[0] !== undefined && (classesOf(sets[0]) & ~ALNUM) === 0;
}

function isNumber(shape: Shape): boolean {
  return beginsWord(shape) && classesOf(shape.sets[0]!) === DIGIT;
}

/**
 * There are few ways in which its first three bytes can be. At the start of a word the first is a letter; elsewhere they are not all small
 * letters, which words are full of.
 */
function isKnown(sets: Beginning, startBorder: boolean): boolean {
  if (sets.length < BEGINNING_LENGTH) return false;
  const classes = sets.slice(0, BEGINNING_LENGTH).map(classesOf);
  if (startBorder ? (classes[0]! & ~LETTER) !== 0 : classes.every((one) => one === LOWER)) return false;
  const ways = sets.slice(0, BEGINNING_LENGTH).reduce((all, set) => all * byteList(set).length, 1);
  return ways <= (startBorder ? MOST_WORDS : MOST_WAYS);
}
