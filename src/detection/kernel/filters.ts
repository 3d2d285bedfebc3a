/**
 * The anchors of all detectors, turned into filters for the kernel: what must stand in a row for anybody to be asked. A filter
 * that begins with known bytes has a probe, which is exact on those: a filter may be loose, and many share one.
 */
import type { Anchor, Detector } from '../detector.ts';
import { type Node, parsePattern } from '../pattern/parse.ts';
import { type Shape, shapesOf } from '../pattern/shapes.ts';
import { LENGTH as BEGINNING_LENGTH, type Beginning } from './beginnings.ts';
import {
  ALNUM,
  ANY,
  bytesIn,
  classesOf,
  DIGIT,
  LETTER,
  LOWER,
  OTHER,
  SEPARATED,
  TOKEN,
  UPPER,
} from './byte-classes.ts';
import { ANY_FORM, formsOf, sortOf } from './forms.ts';
import { headsOf } from './literals.ts';
import { type Loose, loosened } from './looseness.ts';
import { type Pairs, pairsOf, sizeOf } from './probes.ts';

export type Probe = 'none' | 'pair' | 'beginning' | 'form';

export interface Filter {
  /** What must stand there, and whether a letter or digit may stand right before. */
  readonly loose: Loose;
  readonly startBorder: boolean;
  /** Asked only where a number may begin (see `beginsAt`) and something may name it. */
  readonly labelled: boolean;
  /** Of those: which words they hear, see word-pass.ts. */
  readonly group: number;
  /** Asked only about the cells of a table whose head names them. */
  readonly cells: boolean;
  /** What is exact about it: nothing, its first two bytes, all of a known beginning, or the form of a number. */
  readonly probe: Probe;
  /** Known beginnings, of three bytes at least. */
  readonly beginnings: readonly Beginning[];
  /** Whom to ask; with a probe by the two bytes, by the head of the chain (literals.ts), or by the form (forms.ts). */
  readonly detectors: readonly number[];
  readonly keys: ReadonlyMap<number, readonly number[]>;
  /** All patterns that led to it, for the finder that takes them literally. */
  readonly patterns: readonly Node[];
}

/** A filter looks at so many bytes beside the border, and at so many stretches of equal ones: the next would cost more than it saves. */
const ROOM = 10;
const MOST_STRETCHES = 4;
/** What goes on like a token for so long is rare enough to be told by that alone. */
const TOKEN_LENGTH = 12;
/** Long runs of letters and digits share one, whatever they begin with. */
const LONG_RUN = 13;
/** Of a value with a label so many bytes are looked at. */
const LABELLED_LENGTH = 5;
/** The first three bytes of a known beginning may be so many: three letters in any case. */
const MOST_WAYS = 8;

export function filtersOf(detectors: readonly Detector[]): Filter[] {
  const drafts = new Map<string, Draft>();
  detectors.forEach((detector, index) => {
    for (const anchor of detector.anchors) if ('pattern' in anchor) add(drafts, index, anchor);
  });
  return [...drafts.values()].map((draft) => draft.filter());
}

type PatternAnchor = Extract<Anchor, { pattern: string }>;

interface Wish
  extends Pick<Filter, 'loose' | 'startBorder' | 'labelled' | 'group' | 'cells' | 'probe' | 'beginnings'> {
  readonly keys: Pairs;
}

function add(drafts: Map<string, Draft>, index: number, { pattern, labelled = false }: PatternAnchor): void {
  const { root, source } = parsePattern(pattern);
  const shapes = shapesOf({ root, source });
  if (shapes.some(({ sets }) => sets.length < 2))
    throw new RangeError(`the anchor ${pattern} may begin with less than two bytes`);
  const wishes =
    labelled === false ? freeWish(root, shapes) : shapes.map((one) => labelledWish(one, labelled));
  for (const wish of wishes) {
    const { loose, startBorder, probe, beginnings, cells } = wish;
    const name = JSON.stringify([loose, startBorder, wish.labelled, probe, beginnings.length > 0, cells]);
    const draft = drafts.get(name) ?? new Draft(wish);
    drafts.set(name, draft);
    draft.add(index, root, wish);
  }
}

/** It is the label that is rare: of the value the first byte is looked at, and roughly the next ones. */
function labelledWish(shape: Shape, labelled: true | 'column'): Wish {
  const classes = shape.sets.map(classesOf);
  const loose = isRun(shape, LONG_RUN) ? runOf(ALNUM, LONG_RUN) : roughly(classes);
  const common = { startBorder: true, labelled: true, cells: labelled === 'column' };
  return { ...common, loose, group: groupOf(classes), probe: 'none', keys: [], beginnings: [] };
}

/** What is alike hears the same words: numbers long and short, long tokens, capitals, others. */
function groupOf(classes: readonly number[]): number {
  const first = classes[0]!;
  if (first === DIGIT) return classes.length >= LABELLED_LENGTH ? 1 : 2;
  if (classes.length >= LONG_RUN)
    return classes.slice(0, LONG_RUN).every((one) => (one & ~ALNUM) === 0) ? 3 : 4;
  if (first === UPPER) return (classes.slice(1).reduce((all, one) => all | one, 0) & LETTER) === 0 ? 5 : 6;
  return 7;
}

/** Few kinds in all: long tokens, numbers, what begins with a capital, and the rest by its first two bytes. */
function roughly(classes: readonly number[]): Loose {
  const tokens = classes.findIndex((one) => (one & ~TOKEN) !== 0);
  const length = tokens === -1 ? classes.length : tokens;
  const first = classes[0]!;
  if (length >= TOKEN_LENGTH && (first & LOWER) !== 0)
    return runOf(TOKEN, length >= LONG_RUN ? LONG_RUN : TOKEN_LENGTH);
  if ((first & ~(DIGIT | UPPER)) === 0) return sequenceOf([first, ...nextOf(classes)]);
  return sequenceOf([first, ANY]);
}

function nextOf(classes: readonly number[]): number[] {
  const rest = classes.slice(1, LABELLED_LENGTH);
  const all = rest.reduce((union, one) => union | one, 0);
  const short = rest.length + 1 < LABELLED_LENGTH;
  if (all & OTHER) return [ANY];
  const next = SEPARATED | (all & LETTER);
  return short ? [next] : Array(LABELLED_LENGTH - 1).fill(next);
}

function freeWish(root: Node, shapes: readonly Shape[]): Wish[] {
  const startBorder = shapes.every((shape) => shape.startBorder);
  const common = { startBorder, labelled: false, group: 0, cells: false };
  const beginnings = beginningsOf(shapes);
  if (beginnings.length > 0)
    return [
      {
        ...common,
        loose: { kind: 'known', bordered: startBorder },
        ...{ probe: 'beginning', keys: beginnings.flatMap(headsOf), beginnings },
      },
    ];
  const sorts = shapes.map(sortOf);
  if (!sorts.includes(null))
    return shapes.map((shape, n) => ({
      ...common,
      ...{
        loose: { kind: 'form', sort: sorts[n]! },
        probe: 'form',
        keys: formsOf(shape) ?? [ANY_FORM],
        beginnings: [],
      },
    }));
  const pairs = pairsOfAll(shapes);
  const run = shapes.every((shape) => isRun(shape, LONG_RUN)) ? runOf(runClasses(shapes), LONG_RUN) : null;
  const loose = run ?? withoutBorder(loosened(root, ROOM, MOST_STRETCHES));
  if (pairs !== null && isSelective(pairs, shapes))
    return [{ ...common, loose, probe: 'pair', keys: pairs, beginnings: [] }];
  return [{ ...common, loose, probe: 'none', keys: [], beginnings: [] }];
}

/** Capitals and digits, or small letters too: few kinds of runs, so that many share one. */
function runClasses(shapes: readonly Shape[]): number {
  const all = shapes
    .flatMap(({ sets }) => sets.slice(0, LONG_RUN))
    .reduce((union, set) => union | classesOf(set), 0);
  return (all & LOWER) === 0 ? UPPER | DIGIT : (all & UPPER) === 0 ? LOWER | DIGIT : ALNUM;
}

/** What every shape begins with, if all their first three bytes are known, but for capitals and small letters. */
function beginningsOf(shapes: readonly Shape[]): Beginning[] {
  const known = shapes.every(
    ({ sets, startBorder }) =>
      sets.length >= BEGINNING_LENGTH &&
      sets.slice(0, BEGINNING_LENGTH).reduce((ways, set) => ways * sizeOf(set), 1) <= MOST_WAYS &&
      (!startBorder || (classesOf(sets[0]!) & ~LETTER) === 0),
  );
  return known ? shapes.map(({ sets }) => sets) : [];
}

/** Nothing but letters and digits, so many at least, and not digits alone: those have filters of their own. */
function isRun({ sets, startBorder }: Shape, length: number): boolean {
  const classes = sets.slice(0, length).map(classesOf);
  const all = classes.reduce((union, one) => union | one, 0);
  return startBorder && classes.length === length && (all & ~ALNUM) === 0 && all !== DIGIT;
}

function runOf(classes: number, length: number): Loose {
  return sequenceOf(Array(length).fill(classes));
}

function sequenceOf(classes: readonly number[]): Loose {
  return { kind: 'sequence', items: classes.map((one) => ({ kind: 'class', classes: one })) };
}

function pairsOfAll(shapes: readonly Shape[]): Pairs | null {
  const all = shapes.map(({ sets }) => pairsOf(sets));
  return all.some((keys) => keys === null) ? null : [...new Set(all.flatMap((keys) => keys ?? []))];
}

/** Worth a look at the first bytes: at least half of what the classes let through is refused. */
function isSelective(pairs: Pairs, shapes: readonly Shape[]): boolean {
  const through = shapes.map(({ sets }) => bytesIn(classesOf(sets[0]!)) * bytesIn(classesOf(sets[1]!)));
  return pairs.length * 2 <= through.reduce((sum, one) => sum + one, 0);
}

/** The border before it is told apart. */
function withoutBorder(loose: Loose): Loose {
  if (loose.kind !== 'sequence' || loose.items[0]?.kind !== 'border') return loose;
  return { kind: 'sequence', items: loose.items.slice(1) };
}

class Draft {
  readonly #wish: Wish;
  readonly #detectors = new Set<number>();
  readonly #keys = new Map<number, Set<number>>();
  readonly #patterns: Node[] = [];
  readonly #beginnings: Beginning[] = [];

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  add(detector: number, pattern: Node, { keys, beginnings }: Wish): void {
    this.#beginnings.push(...beginnings);
    this.#detectors.add(detector);
    this.#patterns.push(pattern);
    for (const key of keys) {
      const known = this.#keys.get(key) ?? new Set();
      this.#keys.set(key, known.add(detector));
    }
  }

  filter(): Filter {
    const { keys: _, ...wish } = this.#wish;
    const always = [...(this.#keys.get(ANY_FORM) ?? [])];
    const keys = new Map(
      [...this.#keys].map(([key, detectors]) => [key, [...new Set([...detectors, ...always])]] as const),
    );
    return {
      ...wish,
      detectors: [...this.#detectors],
      keys,
      patterns: this.#patterns,
      beginnings: this.#beginnings,
    };
  }
}
