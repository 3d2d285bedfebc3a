/**
 * Detectors are data. An anchor says where the one pass over the bytes should stop; `verify` then looks at the bytes
 * around that place and believes nothing: the pass may be looser than the detector, never stricter.
 */
export type Category =
  | 'direct_identifier'
  | 'contact'
  | 'quasi_identifier'
  | 'health_info'
  | 'financial'
  | 'credential'
  | 'government';

/** Whose business it is when such a value is found. */
export type Regulation = 'gdpr' | 'ccpa' | 'hipaa' | 'pci' | 'glba' | 'ferpa' | 'soc2' | 'itar' | 'cui';

/**
 * What makes a value one of its kind: a prefix of its issuer, a check digit, a form of its own, only its label, or hardly
 * anything. Where two claim the same bytes with equal right, the better standing has them.
 */
export const STRENGTHS = ['issued', 'checked', 'formed', 'labelled', 'guessed'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** How far a verifier may look from its anchor. The scanner always has that many bytes at hand, zeros beyond the text. */
export const LOOKBEHIND_BYTES = 512;
export const LOOKAHEAD_BYTES = 4096;

export interface Match {
  start: number;
  end: number;
  confidence: number;
  reasons: number;
  /** Of a refused value: the check that refused it, for whoever asks why. */
  rejectReason: string;
  /** Bits per character, where the detector measured it; else 0. */
  entropy: number;
  /**
   * Whether a word before `start` or the name of its field speaks for this detector. A value whose look alone proves
   * nothing must ask. The answer may cost a look at kilobytes, so look at the value's own bytes first.
   */
  hasLabel(start: number): boolean;
}

/**
 * `pattern`: how the value begins, in the syntax of pattern/parse.ts, for instance `\b\d{3}-\d{2}-\d{4}\b`. The pass looks at
 * its first fifteen bytes or so, and at literal bytes to the letter. The anchor's place is where it begins.
 *
 * `labelled`: ask only where a context word of the detector stands before the place, or the field's name is one; `column`: only
 * about the cells of a table whose column is so named, for values that look like any other word.
 *
 * `assigned`: `=`, `:` or `>` after a name that ends with one of these tails: three bytes or more, in any case, the last two letters. The
 * anchor's place is the separator.
 */
export type PrefilterRule =
  | { readonly pattern: string; readonly labelled?: boolean | 'column' }
  | { readonly assigned: readonly string[] };

/** Words on the same line before the value, or in the name of its field: small letters, a blank for any of "_- ". */
export interface ContextRule {
  readonly words: readonly string[];
  /** Words that say it is something else. */
  readonly avoid?: readonly string[];
}

/** A text, and the value that must be found in it; the text alone: all of it. `field`: the name of the field that holds it. */
export type Example = string | { readonly text: string; readonly value?: string; readonly field?: string };

export interface Detector {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly standing: Strength;
  /** ISO 3166 code of the country that issues it, where there is one. */
  readonly country?: string;
  readonly regulations: readonly Regulation[];
  /** Looked for only where the rules name it: it says little by itself, or costs much to look for. */
  readonly optional?: boolean;
  /** What one of them weighs in an object's score, 0–10. */
  readonly risk: number;
  readonly prefilters: readonly PrefilterRule[];
  /** Of a match that passed its own checks, before the context is weighed. */
  readonly confidence: number;
  readonly context?: ContextRule;
  /** Fills in `match` (which comes with the base confidence and no reasons) or says no. */
  verify(bytes: Buffer, at: number, match: Match): boolean;
  mask(value: string): string;
  readonly examples: { readonly match: readonly Example[]; readonly not: readonly Example[] };
}

/** The usual end of a verifier. */
export function acceptMatch(match: Match, start: number, end: number, reasons: number): true {
  match.start = start;
  match.end = end;
  match.reasons |= reasons;
  return true;
}

/** The other end: which check said no, in two or three words. */
export function rejectMatch(match: Match, check: string): false {
  match.rejectReason = check;
  return false;
}
