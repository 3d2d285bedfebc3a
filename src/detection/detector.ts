/**
 * Detectors are data. The anchor says where the one pass over the bytes should stop; `verify` then looks at the bytes
 * around that place and believes nothing: an anchor finder may be looser than the detector, never stricter.
 */
export type Category =
  | 'direct_identifier'
  | 'contact'
  | 'quasi_identifier'
  | 'health_info'
  | 'financial'
  | 'credential';

/** How far a verifier may look from its anchor. The scanner always has that many bytes at hand, zeros beyond the text. */
export const REACH_BACK = 512;
export const REACH_AHEAD = 4096;

export interface Match {
  start: number;
  end: number;
  confidence: number;
  reasons: number;
  /**
   * Whether a word before `start` or the name of its field speaks for this detector. A value whose look alone proves
   * nothing must ask. The answer may cost a look at kilobytes, so look at the value's own bytes first.
   */
  labelled(start: number): boolean;
}

/** What may stand behind the byte after a token: digits, Upper case, lower case, a colon. Spares many a call. */
export type Beyond = 'd' | 'dU' | 'dUl:';

/** Which letters a token is made of: digits, Upper case, lower case. */
export type Made = 'd' | 'U' | 'l' | 'Ud' | 'ld' | 'Ul' | 'Uld';

/**
 * `labelled`: ask only where a number may begin (see `beginsAt`) and a context word stands shortly before, or the field
 * has a name.
 */
export type Anchor = {
  readonly labelled?: boolean;
} & (
  | {
      /** A run of letters and digits of that length; `next` lists the bytes that may follow it (none: any). At: its start. */
      readonly kind: 'token';
      readonly made: readonly Made[];
      readonly length: Span;
      readonly next?: string;
      readonly beyond?: Beyond;
    }
  /** A text at the start of a token. At: its start. */
  | { readonly kind: 'literal'; readonly text: string; readonly anyCase?: boolean }
  /** A byte that is no letter or digit, followed by one of `next`. At: the byte. */
  | { readonly kind: 'pair'; readonly byte: string; readonly next: string }
  /** `=`, `:` or `>` after a name that ends with one of these three-letter tails. At: the separator. */
  | { readonly kind: 'assignment'; readonly tails: readonly string[] }
);

type Span = readonly [min: number, max: number];

/** Words on the same line before the value, or in the name of its field. */
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
  readonly anchors: readonly Anchor[];
  /** Of a match that passed its own checks, before the context is weighed. */
  readonly confidence: number;
  readonly context?: ContextRule;
  /** Fills in `match` (which comes with the base confidence and no reasons) or says no. */
  verify(bytes: Buffer, at: number, match: Match): boolean;
  mask(value: string): string;
  readonly examples: { readonly match: readonly Example[]; readonly not: readonly Example[] };
}

/** The usual end of a verifier. */
export function found(match: Match, start: number, end: number, reasons: number): true {
  match.start = start;
  match.end = end;
  match.reasons |= reasons;
  return true;
}
