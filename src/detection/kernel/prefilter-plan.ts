/** Everything the prefilter needs to know about the detectors: start filters, name suffixes and context words. */
import type { Detector } from '../detector.ts';
import { type CombinedNfa, combineNfas } from './combined-nfa.ts';
import { type LabelGatedPattern, labelGatedPatterns } from './label-gated-patterns.ts';
import { type Labels, labelsOf } from './labels.ts';
import { type StartFilters, startFiltersOf } from './start-filter.ts';

export interface PrefilterPlan {
  readonly startFilters: StartFilters;
  readonly labelGated: readonly LabelGatedPattern[];
  readonly nfa: CombinedNfa;
  /** By the last three letters of a name: the detectors with a matching suffix. */
  readonly suffixes: ReadonlyMap<number, readonly NameSuffix[]>;
  /** Which detectors the context words belong to. */
  readonly labels: Labels;
  /** The detectors that require a label. */
  readonly labelled: readonly number[];
}

export interface NameSuffix {
  readonly detector: number;
  /** Lower case. */
  readonly text: Buffer;
}

/** Cached per list of detectors. */
export function prefilterPlan(detectors: readonly Detector[]): PrefilterPlan {
  const plan = plans.get(detectors) ?? makePlan(detectors);
  plans.set(detectors, plan);
  return plan;
}

const plans = new WeakMap<readonly Detector[], PrefilterPlan>();

function makePlan(detectors: readonly Detector[]): PrefilterPlan {
  const labelledDetectors = detectors.flatMap(({ prefilters }, index) =>
    prefilters.some((prefilter) => 'pattern' in prefilter && prefilter.labelled) ? [index] : [],
  );
  const startFilters = startFiltersOf(detectors);
  const labelGated = labelGatedPatterns(detectors);
  return {
    startFilters,
    labelGated,
    nfa: combineNfas(startFilters.patterns),
    suffixes: suffixesOf(detectors),
    labels: labelsOf(detectors, labelledDetectors),
    labelled: labelledDetectors,
  };
}

/** Index of three letters in any case. Other bytes may collide; the matcher compares the whole suffix again. */
export function suffixCell(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

function suffixesOf(detectors: readonly Detector[]): ReadonlyMap<number, readonly NameSuffix[]> {
  const bySuffix = new Map<number, NameSuffix[]>();
  detectors.forEach(({ prefilters }, detector) => {
    const assigned = prefilters.flatMap((prefilter) => ('assigned' in prefilter ? prefilter.assigned : []));
    for (const text of new Set(assigned))
      bySuffix.set(cellOf(text), [
        ...(bySuffix.get(cellOf(text)) ?? []),
        { detector, text: Buffer.from(text) },
      ]);
  });
  return bySuffix;
}

function cellOf(suffix: string): number {
  if (!/[a-z]$/.test(suffix) || suffix.length < 3)
    throw new RangeError(`"${suffix}" is no name suffix: it needs three lower-case letters or more`);
  const [a, b, c] = Buffer.from(suffix).subarray(-3);
  return suffixCell(a!, b!, c!);
}
