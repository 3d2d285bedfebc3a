import { HEX, textOf } from '../../bytes.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { hasText } from '../../families/secrets/issued-token.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { COLON } from '../../families/shared-prefilters.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const ADDRESS =
  /^([0-9a-f]{32})(?::[0-9a-f]{32})?@o\d{1,12}\.ingest(?:\.[a-z]{2})?\.sentry\.io\/\d{1,20}(?!\d)/;
const FROM = 3; // "://"
const KEY = 32;

/** Allows writing to a project’s errors; it is public in browsers, so its risk is low. */
export const sentryDsn: Detector = {
  id: 'SENTRY_DSN',
  title: 'Sentry address with its key',
  category: 'credential',
  strength: 'prefix',
  regulations: ['soc2'],
  risk: 3,
  prefilters: [{ pattern: COLON }],
  confidence: 0.9,
  verify(bytes, at, match) {
    if (!hasText(bytes, at, '://') || HEX[bytes[at + FROM + KEY - 1]!] === 0)
      return rejectMatch(match, 'key');
    const start = at + FROM;
    const address = ADDRESS.exec(textOf(bytes, start, start + 140));
    if (address === null) return rejectMatch(match, 'form');
    if (isFiller(address[1]!)) return rejectMatch(match, 'placeholder');
    return acceptMatch(match, start, start + address[0].length, REASON.issuer | REASON.structure);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `https://${dsn('o4504')}`, value: dsn('o4504') },
      { text: `SENTRY_DSN="https://${dsn('o123')}"`, value: dsn('o123') },
      { text: `dsn: https://${dsn('o99')}\n`, value: dsn('o99') },
    ],
    not: [
      'https://examplePublicKey@o0.ingest.sentry.io/0',
      `https://${dsn('o1').slice(1)}`,
      `https://${dsn('o1').replace('sentry', 'acme')}`,
      `https://${'0'.repeat(32)}@o1.ingest.sentry.io/1`,
    ],
  },
};

function dsn(organisation: string): string {
  return `${syntheticSecret(KEY, '09af')}@${organisation}.ingest.sentry.io/4506`;
}
