/** All that finding anchors needs to know of the detectors: filters, tails of names, first letters of labels. */
import type { Detector } from '../detector.ts';
import { type Filter, filtersOf } from './filters.ts';
import { gateWords, LABEL_CELLS, labelCell } from './labels.ts';
import { type Chains, chainsOf } from './literals.ts';

export interface AnchorPlan {
  readonly filters: readonly Filter[];
  /** By the last three letters of a name, whom to ask about what is assigned to it. */
  readonly tails: ReadonlyMap<number, readonly number[]>;
  readonly tailTexts: readonly string[];
  /** By the beginning of a context word, the groups of filters that hear it. */
  readonly labels: Uint8Array;
  /** Known beginnings, as the kernel compares them. */
  readonly chains: Chains;
  /** Those who are asked only about what something names. */
  readonly labelled: readonly number[];
}

/** The same list of detectors is planned once. */
export function anchorPlan(detectors: readonly Detector[]): AnchorPlan {
  const plan = plans.get(detectors) ?? makePlan(detectors);
  plans.set(detectors, plan);
  return plan;
}

const plans = new WeakMap<readonly Detector[], AnchorPlan>();

function makePlan(detectors: readonly Detector[]): AnchorPlan {
  const needy = detectors.flatMap(({ anchors }, index) =>
    anchors.some((anchor) => 'pattern' in anchor && anchor.labelled) ? [index] : [],
  );
  const filters = filtersOf(detectors);
  return {
    filters,
    tails: tailsOf(detectors),
    tailTexts: [...new Set(detectors.flatMap(tailsWanted))],
    labels: labelTable(detectors, filters),
    chains: chainsOf(filters.flatMap(({ beginnings }) => beginnings)),
    labelled: needy,
  };
}

/** Three letters in any case; other bytes fall on some cell too, which is allowed: whoever is asked looks again. */
export function tailCell(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

function tailsOf(detectors: readonly Detector[]): ReadonlyMap<number, readonly number[]> {
  const tails = new Map<number, number[]>();
  detectors.forEach(({ anchors }, index) => {
    for (const cell of new Set(tailsWanted({ anchors }).map(cellOf)))
      tails.set(cell, [...(tails.get(cell) ?? []), index]);
  });
  return tails;
}

function tailsWanted({ anchors }: Pick<Detector, 'anchors'>): readonly string[] {
  return anchors.flatMap((anchor) => ('assigned' in anchor ? anchor.assigned : []));
}

function cellOf(tail: string): number {
  if (tail.length !== 3) throw new RangeError(`"${tail}" is no tail of three letters`);
  return tailCell(tail.charCodeAt(0), tail.charCodeAt(1), tail.charCodeAt(2));
}

function labelTable(detectors: readonly Detector[], filters: readonly Filter[]): Uint8Array {
  const table = new Uint8Array(LABEL_CELLS);
  for (const { detectors: asked, group, labelled, cells } of filters) {
    if (!labelled || cells) continue;
    const words = asked.flatMap((index) => detectors[index]!.context?.words ?? []);
    for (const word of new Set(words.flatMap(gateWords))) table[labelCell(word)]! |= 1 << group;
  }
  return table;
}
