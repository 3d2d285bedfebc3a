import { isAlnum, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';
import { DOLLAR } from '../shared-prefilters.ts';
import { hasText, shortened } from './issued-token.ts';

interface PasswordHash extends Pick<Detector, 'id' | 'title'>, Partial<Pick<Detector, 'risk'>> {
  /** The prefilters, with or without the leading dollar. */
  readonly prefilters?: readonly string[];
  /** The prefix of each scheme. */
  readonly schemes: readonly string[];
  /** Matches the whole hash, from its first character. */
  readonly form: RegExp;
  readonly maxLength: number;
  /** Example hashes. */
  readonly samples: readonly string[];
}

const DOLLAR_SIGN = 0x24;

/** Password hashes as in shadow files, user tables and .htpasswd. They allow offline guessing. */
export function passwordHash(hash: PasswordHash): Detector {
  const { prefilters = DOLLAR, schemes, form, maxLength, samples, ...rest } = hash;
  const first = samples[0]!;
  return {
    risk: 7,
    ...rest,
    category: 'credential',
    strength: 'format',
    regulations: ['soc2', 'gdpr'],
    prefilters: prefilters.map((pattern) => ({ pattern })),
    confidence: 0.95,
    verify(bytes, at, match) {
      const start = bytes[at] === DOLLAR_SIGN || bytes[at - 1] !== DOLLAR_SIGN ? at : at - 1;
      if (!schemes.some((scheme) => hasText(bytes, start, scheme))) return rejectMatch(match, 'scheme');
      const text = form.exec(textOf(bytes, start, start + maxLength))?.[0];
      if (text === undefined) return rejectMatch(match, 'form');
      if (isAlnum(bytes[start + text.length]!)) return rejectMatch(match, 'length');
      if (new Set(text.slice(-22)).size < 6) return rejectMatch(match, 'placeholder');
      return acceptMatch(match, start, start + text.length, REASON.structure | REASON.pattern);
    },
    mask: (value) => maskSecret(value, schemes.map(shortened)),
    examples: {
      match: [
        ...samples,
        { text: `jane:${first}:19000:0:99999:7:::`, value: first },
        { text: `password_hash = '${first}'`, value: first },
      ],
      not: [
        first.slice(0, -4),
        first + 'abc'.repeat(40),
        first.replace(/[$}]/, '#'),
        first.slice(0, -22) + 'x'.repeat(22),
      ],
    },
  };
}
