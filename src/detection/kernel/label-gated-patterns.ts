/**
 * Patterns of values that only a label identifies. The label is the rare part, so of the value only the first bytes are tested,
 * approximately.
 */
import type { Detector } from '../detector.ts';
import { parsePattern } from '../pattern/parse.ts';
import { type PrefixSets, prefixSetsOf } from '../pattern/prefix-sets.ts';
import { type ApproxPattern, isRun, LONG_RUN, runOf, sequenceOf } from './approx-pattern.ts';
import { ALNUM, ANY, classesOf, DIGIT, LOWER, OTHER, SEPARATED, TOKEN, UPPER } from './byte-classes.ts';

export interface LabelGatedPattern {
  readonly approx: ApproxPattern;
  /** Only in cells of a table whose column is a label. */
  readonly columnsOnly: boolean;
}

/** A run of token characters of this length is rare enough to be a filter by itself. */
const TOKEN_LENGTH = 12;
/** Bytes tested of a value that requires a label. */
const LABELLED_LENGTH = 5;

export function labelGatedPatterns(detectors: readonly Detector[]): LabelGatedPattern[] {
  const all = new Map<string, LabelGatedPattern>();
  for (const { prefilters } of detectors) {
    for (const prefilter of prefilters) {
      if (!('pattern' in prefilter) || !prefilter.labelled) continue;
      for (const prefix of prefixSetsOf(parsePattern(prefilter.pattern))) {
        const pattern = labelGatedPattern(prefix, prefilter.labelled === 'column');
        all.set(JSON.stringify(pattern), pattern);
      }
    }
  }
  return [...all.values()];
}

function labelGatedPattern(prefix: PrefixSets, columnsOnly: boolean): LabelGatedPattern {
  const classes = prefix.sets.map(classesOf);
  const approx = isRun(prefix, LONG_RUN) ? runOf(ALNUM, LONG_RUN) : simplify(classes);
  return { approx, columnsOnly };
}

/** Reduces patterns to a few shapes: long tokens, numbers, capitalised words, and the rest by their first two bytes. */
function simplify(classes: readonly number[]): ApproxPattern {
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
  const next = SEPARATED | all;
  return short ? [next] : Array(LABELLED_LENGTH - 1).fill(next);
}
