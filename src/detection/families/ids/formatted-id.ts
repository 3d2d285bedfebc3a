import { beginsAt, standsAlone, textOf } from '../../bytes.ts';
import {
  acceptMatch,
  type Category,
  type ContextRule,
  type Detector,
  type Match,
  rejectMatch,
} from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { mayStandAlone } from '../../pattern/may-begin.ts';
import { REASON } from '../../reasons.ts';

export interface Form {
  /** The form of the value in prefilter syntax, without look-around. Begins and ends with a letter or digit. */
  readonly pattern: string;
  /** True if the form alone is distinctive, so that no label is required. */
  readonly free?: boolean;
  /** The prefilter, if many forms can share one that is looser than each; defaults to the pattern. */
  readonly begins?: string;
}

/** Six or more letters and digits, gated by a label: one prefilter shared by all such forms. */
export const COMPACT = '[A-Z0-9]{6}';

interface FormattedId
  extends Pick<Detector, 'id' | 'title' | 'regulations' | 'risk' | 'examples'>,
    Partial<Pick<Detector, 'country' | 'confidence' | 'strength' | 'mask'>> {
  readonly category: Category;
  readonly context: ContextRule;
  readonly forms: readonly Form[];
  /** Verifies the check digits of the value without separators, in upper case. */
  readonly check?: (plain: string) => boolean;
  /** Rejects impossible values: an invalid date, an area that was never issued. Passing it is no proof. */
  readonly plausible?: (plain: string) => boolean;
}

const MAX_LENGTH = 40;
const SEPARATORS = /[^A-Z0-9]/g;

/** An identifier with one or more written forms: pattern, check digits, and a label if the form is not distinctive. */
export function formattedId(kind: FormattedId): Detector {
  const { forms, check, plausible, ...rest } = kind;
  const shapes = forms.map(({ pattern, free }) => ({
    shape: new RegExp(`^(?:${pattern})`),
    free: free === true,
  }));
  const begins = mayStandAlone(forms.map(({ pattern }) => pattern));
  const proof = REASON.pattern | (check ? REASON.checksum : 0);

  function accept(bytes: Buffer, at: number, end: number, free: boolean, match: Match): boolean {
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    const plain = textOf(bytes, at, end).toUpperCase().replace(SEPARATORS, '');
    if (check?.(plain) === false) return rejectMatch(match, 'check digits');
    if (plausible?.(plain) === false) return rejectMatch(match, 'plausible');
    if (!free && !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, proof);
  }

  return {
    strength: check ? 'checksum' : 'context',
    confidence: check ? 0.85 : 0.75,
    mask: (value) => maskMiddle(value, 0, 2),
    ...rest,
    prefilters: forms.map(({ pattern, free, begins = pattern }) => ({
      pattern: `\\b${begins}`,
      labelled: free !== true,
    })),
    verify(bytes, at, match) {
      const forms = begins.at(bytes, at);
      if (forms === 0) return rejectMatch(match, 'form');
      if (!beginsAt(bytes, at)) return rejectMatch(match, 'stands alone');
      const text = textOf(bytes, at, at + MAX_LENGTH);
      for (let n = 0; n < shapes.length; n++) {
        if ((forms & (1 << n)) === 0) continue;
        const { shape, free } = shapes[n]!;
        const written = shape.exec(text)?.[0];
        if (written !== undefined && accept(bytes, at, at + written.length, free, match)) return true;
      }
      return match.rejectReason === '' ? rejectMatch(match, 'form') : false;
    },
  };
}
