/**
 * Detectors defined by a rule set. The pattern is both the prefilter and the form of the value: the longest match is taken, at most
 * MAX_VALUE_BYTES, and no letter or digit may adjoin a letter or digit at its ends. Then the checks run in order, and last the label
 * test.
 */
import { isAlnum, textOf } from './bytes.ts';
import {
  acceptMatch,
  type Category,
  type ContextRule,
  type Detector,
  type Example,
  type Regulation,
  rejectMatch,
} from './detector.ts';
import { maskMiddle, maskSecret } from './masks.ts';
import { checkNamed, type NamedCheck } from './named-checks.ts';
import { commonPrefix, patternOf } from './pattern/common-prefix.ts';
import { PatternMatcher } from './pattern/match.ts';
import { type Node, type Pattern, parsePattern } from './pattern/parse.ts';
import { prefixSetsOf } from './pattern/prefix-sets.ts';
import { REASON } from './reasons.ts';

/** The serialised form stored with a scan. */
export interface CustomRule {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly regulations: readonly Regulation[];
  readonly risk: number;
  readonly pattern: string;
  /** Names accepted by `checkNamed`. */
  readonly checks: readonly string[];
  readonly context: ContextRule;
  /** Matches only after a context word or in a field named by one. */
  readonly labelled: boolean;
  readonly confidence: number;
  readonly examples: { readonly match: readonly Example[]; readonly not: readonly Example[] };
}

/** Maximum length of a custom detector's value. */
const MAX_VALUE_BYTES = 512;
/** Shorter patterns match too often for the prefilter. */
export const MIN_PATTERN_BYTES = 2;

/** Throws a PatternError if the pattern is invalid. */
export function customDetector(rule: CustomRule): Detector {
  const { pattern, checks: names, labelled, context, ...rest } = rule;
  const parsed = parsePattern(pattern);
  const matcher = new PatternMatcher({ ...parsed, root: withBorders(parsed.root) });
  const checks = names.map(checkNamed).filter((check) => check !== null);
  const proof = checks.reduce((bits, check) => bits | check.reason, REASON.pattern);
  return {
    ...rest,
    strength: checks.some(({ reason }) => reason === REASON.checksum)
      ? 'checksum'
      : labelled
        ? 'context'
        : 'format',
    prefilters: [{ pattern: prefilterOf(parsed), labelled }],
    ...(context.words.length + (context.avoid?.length ?? 0) > 0 && { context }),
    verify: (bytes, at, match) => {
      const end = matcher.longestFrom(bytes, at, MAX_VALUE_BYTES);
      if (end <= at) return rejectMatch(match, 'pattern');
      const failed = firstFailed(checks, textOf(bytes, at, end));
      if (failed) return rejectMatch(match, failed.name);
      if (labelled && !match.hasLabel(at)) return rejectMatch(match, 'label');
      return acceptMatch(match, at, end, proof);
    },
    mask: (value) => (rule.category === 'credential' ? maskSecret(value) : maskMiddle(value, 0, 2)),
  };
}

/** Length of the shortest possible value, counted up to MIN_PATTERN_BYTES. */
export function minLengthOf(pattern: string): number {
  return commonPrefix(parsePattern(pattern)).length;
}

/** The pattern as far as the prefilter supports it. If it begins with a letter or digit, a word boundary is required before it. */
function prefilterOf(pattern: Pattern): string {
  const outline = commonPrefix(pattern);
  const atWord = outline[0]?.every((can, byte) => can === 0 || isAlnum(byte));
  const border = atWord ? '\\b' : '';
  if (prefixSetsOf(pattern).some(({ sets }) => sets.length < MIN_PATTERN_BYTES))
    return border + patternOf(outline);
  const flag = pattern.source.startsWith('(?i)') ? '(?i)' : '';
  return `${flag}${border}(?:${pattern.source.slice(flag.length)})`;
}

const BORDER: Node = { kind: 'border' };

function withBorders(root: Node): Node {
  return { kind: 'sequence', items: [BORDER, root, BORDER] };
}

function firstFailed(checks: readonly NamedCheck[], value: string): NamedCheck | undefined {
  return checks.find((check) => !check.passes(value));
}
