import type { TextClass } from './context/text-class.ts';

/**
 * Detectors are data. A prefilter selects the candidate positions in one pass over the bytes; `verify` then checks the bytes around each
 * candidate in full, because the pass may be looser than the detector but never stricter.
 */
export type Category =
  | 'direct_identifier'
  | 'contact'
  | 'quasi_identifier'
  | 'health_info'
  | 'financial'
  | 'credential'
  | 'government';

/** The regulations that cover such a value. */
export type Regulation = 'gdpr' | 'ccpa' | 'hipaa' | 'pci' | 'glba' | 'ferpa' | 'soc2' | 'itar' | 'cui';

/**
 * What proves a value: an issuer's prefix, a checksum, a distinctive format, only its context (a label), or a heuristic. Of two matches of the
 * same bytes that are otherwise equal, the stronger one wins.
 */
export const STRENGTHS = ['prefix', 'checksum', 'format', 'context', 'heuristic'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** The verifier's window around a candidate. The scanner always provides that many bytes, padded with zeros beyond the text. */
export const LOOKBEHIND_BYTES = 512;
export const LOOKAHEAD_BYTES = 4096;

export interface Match {
  start: number;
  end: number;
  confidence: number;
  reasons: number;
  /** Set when a match is rejected: the check that failed, for `seine explain`. */
  rejectReason: string;
  /** Bits per character if the detector measured it, else 0. */
  entropy: number;
  /**
   * Whether a word before `start` or the field name is positive context for this detector. Required where the form alone proves nothing.
   * May read kilobytes to find the field name, so test the value's own bytes first.
   */
  hasLabel(start: number): boolean;
}

/**
 * `pattern`: how the value begins, in the syntax of pattern/parse.ts, for instance `\b\d{3}-\d{2}-\d{4}\b`. The pass tests about the
 * first fifteen bytes, and literal bytes exactly. The candidate position is the start of the match.
 *
 * `labelled`: a candidate only if a context word of the detector precedes it or names its field; `column`: only in cells of a table whose
 * column is so named, for values that look like any other word.
 *
 * `assigned`: `=`, `:` or `>` after a name with one of these suffixes: three bytes or more, in any case, the last two letters. The
 * candidate position is the separator.
 */
export type PrefilterRule =
  | { readonly pattern: string; readonly labelled?: boolean | 'column' }
  | { readonly assigned: readonly string[] };

/** Words on the same line before the value, or in its field name. Lower case; a blank matches any of "_- ". */
export interface ContextRule {
  readonly words: readonly string[];
  /** Negative context: words that indicate another meaning. */
  readonly avoid?: readonly string[];
  /**
   * Those of `words` that are too short or too common to label a value from afar (`cap`, `dl`, `sort`): they count only as a separate word
   * directly before the value, or at the end of its field name.
   */
  readonly adjacent?: readonly string[];
}

/**
 * A text and the value that must be found in it; a plain string must be found as a whole. `field`: the name of the field that contains
 * it.
 */
export type Example = string | { readonly text: string; readonly value?: string; readonly field?: string };

export interface Detector {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly strength: Strength;
  /** ISO 3166 code of the issuing country, if there is one. */
  readonly country?: string;
  readonly regulations: readonly Regulation[];
  /** Off unless the rules enable it: its matches mean little by themselves, or its prefilter is expensive. */
  readonly optional?: boolean;
  /** Weight of one finding in an object's risk score, 0–10. */
  readonly risk: number;
  readonly prefilters: readonly PrefilterRule[];
  /** Kinds of text in which a match without a field name means something else. */
  readonly notIn?: readonly TextClass[];
  /** Of a person who may be named as an author; such findings are marked and weigh less. */
  readonly namesAuthors?: boolean;
  /** Of a match that passed its own checks, before context is applied. */
  readonly confidence: number;
  readonly context?: ContextRule;
  /** Fills in `match` (which comes with the base confidence and no reasons) and returns true, or returns false. */
  verify(bytes: Buffer, at: number, match: Match): boolean;
  mask(value: string): string;
  readonly examples: { readonly match: readonly Example[]; readonly not: readonly Example[] };
}

/** Accepts a match; the usual last statement of a verifier. */
export function acceptMatch(match: Match, start: number, end: number, reasons: number): true {
  match.start = start;
  match.end = end;
  match.reasons |= reasons;
  return true;
}

/** Rejects a match, with the failed check in two or three words. */
export function rejectMatch(match: Match, check: string): false {
  match.rejectReason = check;
  return false;
}
