import { beginsAt, standsAlone, textOf } from '../bytes.ts';
import {
  acceptMatch,
  type Category,
  type ContextRule,
  type Detector,
  type Match,
  rejectMatch,
} from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { mayStandAlone } from '../pattern/may-begin.ts';
import { REASON } from '../reasons.ts';

export interface Form {
  /** How it is written, in the syntax of anchors; without look-around. It begins and ends with a letter or digit. */
  readonly pattern: string;
  /** Written so it needs no label: nothing else looks like it. */
  readonly free?: boolean;
  /** How the pass over the bytes sees it, where many forms can share an anchor that is looser than each; else its pattern. */
  readonly begins?: string;
}

/** Of letters and digits without a break, to be named by a label: one anchor for all such forms of six or more. */
export const COMPACT = '[A-Z0-9]{6}';

interface FormattedId
  extends Pick<Detector, 'id' | 'title' | 'regulations' | 'risk' | 'examples'>,
    Partial<Pick<Detector, 'country' | 'confidence' | 'mask'>> {
  readonly category: Category;
  readonly context: ContextRule;
  readonly forms: readonly Form[];
  /** Check digits of the value without its separators, in capitals. */
  readonly check?: (plain: string) => boolean;
  /** What no such number is: a date that does not exist, an area that was never issued. Proves nothing. */
  readonly plausible?: (plain: string) => boolean;
}

const MAX_LENGTH = 40;
const SEPARATORS = /[^A-Z0-9]/g;

/** An identifier with one or more ways to write it: form, check digits, and a label where the form is not its own. */
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
    standing: check ? 'checked' : 'labelled',
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
