/**
 * Values that only their label makes what they are. It is the label that is rare: of the value the first byte is looked at, and roughly the
 * next ones.
 */
import type { Detector } from '../detector.ts';
import { parsePattern } from '../pattern/parse.ts';
import { type PrefixSets, prefixSetsOf } from '../pattern/prefix-sets.ts';
import { type ApproxPattern, isRun, LONG_RUN, runOf, sequenceOf } from './approx-pattern.ts';
import { ALNUM, ANY, classesOf, DIGIT, LOWER, OTHER, SEPARATED, TOKEN, UPPER } from './byte-classes.ts';

export interface LabelGatedPattern {
  readonly approx: ApproxPattern;
  /** Asked only about the cells of a table whose head names them. */
  readonly columnsOnly: boolean;
}

/** What goes on like a token for so long is rare enough to be told by that alone. */
const TOKEN_LENGTH = 12;
/** Of a value with a label so many bytes are looked at. */
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
  const approx = isRun(prefix, LONG_RUN) ? runOf(ALNUM, LONG_RUN) : roughly(classes);
  return { approx, columnsOnly };
}

/** Few kinds in all: long tokens, numbers, what begins with a capital, and the rest by its first two bytes. */
function roughly(classes: readonly number[]): ApproxPattern {
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
