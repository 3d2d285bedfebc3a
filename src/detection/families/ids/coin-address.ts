import { beginsAt, standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { mayStandAlone } from '../../pattern/may-begin.ts';
import { REASON } from '../../reasons.ts';

interface CoinForm {
  /** Of the whole address, in prefilter syntax. */
  readonly pattern: string;
  /** True if a checksum proves the address; without one it needs a label. */
  readonly check: (address: string) => boolean;
  readonly labelled?: boolean;
}

interface CoinAddress
  extends Pick<Detector, 'id' | 'title' | 'examples'>,
    Partial<Pick<Detector, 'confidence'>> {
  readonly words: readonly string[];
  readonly forms: readonly CoinForm[];
}

const MAX_LENGTH = 128;

/** Cryptocurrency addresses with a checksum. An address exposes all payments of its owner. */
export function coinAddress(kind: CoinAddress): Detector {
  const { forms, words, ...rest } = kind;
  const begins = mayStandAlone(forms.map(({ pattern }) => pattern));
  const shapes = forms.map((form) => ({ ...form, shape: new RegExp(`^${form.pattern}`) }));

  function accept(bytes: Buffer, at: number, address: string, form: CoinForm, match: Match): boolean {
    const end = at + address.length;
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!form.check(address)) return rejectMatch(match, 'checksum');
    if (form.labelled && !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern | (form.labelled ? 0 : REASON.checksum));
  }

  return {
    category: 'financial',
    strength: 'checksum',
    regulations: ['gdpr', 'glba'],
    risk: 5,
    confidence: 0.95,
    context: { words: [...words, 'wallet', 'wallet address', 'crypto'] },
    mask: (value) => maskMiddle(value, 4, 2),
    ...rest,
    prefilters: forms.map(({ pattern, labelled = false }) => ({ pattern: `\\b${pattern}\\b`, labelled })),
    verify(bytes, at, match) {
      const may = begins.at(bytes, at);
      if (may === 0) return rejectMatch(match, 'form');
      if (!beginsAt(bytes, at)) return rejectMatch(match, 'stands alone');
      const text = textOf(bytes, at, at + MAX_LENGTH);
      for (let n = 0; n < shapes.length; n++) {
        if ((may & (1 << n)) === 0) continue;
        const form = shapes[n]!;
        const address = form.shape.exec(text)?.[0];
        if (address !== undefined && accept(bytes, at, address, form, match)) return true;
      }
      return match.rejectReason === '' ? rejectMatch(match, 'form') : false;
    },
  };
}

/** The base58 alphabet as a pattern class. */
export const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** The bech32 alphabet as a pattern class. */
export const BECH32 = '[02-9ac-hj-np-z]';
