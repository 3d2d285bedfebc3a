/** All that finding anchors needs to know of the detectors: openings, tails of names, first letters of labels. */
import type { Detector } from '../detector.ts';
import { type JointAutomaton, jointAutomaton } from './joint-automaton.ts';
import { type Labels, labelsOf } from './labels.ts';
import { type Listener, listenersOf } from './listeners.ts';
import { type Openings, openingsOf } from './openings.ts';

export interface AnchorPlan {
  readonly openings: Openings;
  readonly listeners: readonly Listener[];
  readonly automaton: JointAutomaton;
  /** By the last three letters of a name, who asks about what is assigned to names with which ends. */
  readonly tails: ReadonlyMap<number, readonly Tail[]>;
  /** Whom context words speak to. */
  readonly labels: Labels;
  /** Those who are asked only about what something names. */
  readonly labelled: readonly number[];
}

export interface Tail {
  readonly detector: number;
  /** In small letters. */
  readonly text: Buffer;
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
  const openings = openingsOf(detectors);
  const listeners = listenersOf(detectors);
  return {
    openings,
    listeners,
    automaton: jointAutomaton(openings.wanted),
    tails: tailsOf(detectors),
    labels: labelsOf(detectors, needy),
    labelled: needy,
  };
}

/** Three letters in any case; other bytes fall on some cell too, which is allowed: whoever is asked looks again. */
export function tailCell(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

function tailsOf(detectors: readonly Detector[]): ReadonlyMap<number, readonly Tail[]> {
  const tails = new Map<number, Tail[]>();
  detectors.forEach(({ anchors }, detector) => {
    const wanted = anchors.flatMap((anchor) => ('assigned' in anchor ? anchor.assigned : []));
    for (const text of new Set(wanted))
      tails.set(cellOf(text), [...(tails.get(cellOf(text)) ?? []), { detector, text: Buffer.from(text) }]);
  });
  return tails;
}

function cellOf(tail: string): number {
  if (!/[a-z]$/.test(tail) || tail.length < 3)
    throw new RangeError(`"${tail}" is no tail: three small letters or more`);
  const [a, b, c] = Buffer.from(tail).subarray(-3);
  return tailCell(a!, b!, c!);
}
