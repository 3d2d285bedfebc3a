import { byteSet, COLON, runEnd, runStart, textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { isPublishedPassword } from '../../../checks/published-password.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { hasText } from '../../../families/secrets/issued-token.ts';
import { COLON as COLON_ANCHOR } from '../../../families/shared-prefilters.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const SCHEME = byteSet('azAZ09++..--');
const USER = byteSet('azAZ09..__--%%++~~!!$$**');
const SECRET = byteSet('!!#.0;==??AZ[[]_az{~'); // printable, but no blank, quote, slash, colon, @, < or >

/** RFC 2606. */
const EXAMPLE_HOST = /^@(?:[a-z0-9-]+\.){0,4}example\.(?:com|net|org)\b/i;

/** The password in a URL of any scheme: databases, brokers and plain http. */
export const databaseUrl: Detector = {
  id: 'DATABASE_URL',
  title: 'Password in a URL',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: COLON_ANCHOR }],
  confidence: 0.9,
  verify(bytes, at, match) {
    if (!hasText(bytes, at, '://') || runStart(bytes, at, 24, SCHEME) === at)
      return rejectMatch(match, 'scheme');
    const userEnd = runEnd(bytes, at + 3, 64, USER);
    if (bytes[userEnd] !== COLON) return rejectMatch(match, 'user name');
    const start = userEnd + 1;
    const end = runEnd(bytes, start, 129, SECRET);
    if (end === start || bytes[end] !== 0x40) return rejectMatch(match, 'password');
    const value = textOf(bytes, start, end);
    if (isPlaceholder(value)) return rejectMatch(match, 'placeholder');
    // user:password@ is what manuals write; it is also what people leave unchanged.
    const example = isPublishedPassword(value) || EXAMPLE_HOST.test(textOf(bytes, end, end + 64));
    if (example) match.confidence = 0.55;
    return acceptMatch(
      match,
      start,
      end,
      REASON.structure | REASON.pattern | (example ? REASON.testValue : 0),
    );
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'postgres://app:tr0ub4dor@db.acme.example/main', value: 'tr0ub4dor' },
      { text: 'url=amqp+ssl://svc:9kQz-77@mq:5671', value: '9kQz-77' },
      { text: '"mongodb+srv://root:s3cr3t!@cluster0.acme.example"', value: 's3cr3t!' },
      { text: 'https://user:pass@host/', value: 'pass' },
      { text: 'redis://:hunter22@cache:6379', value: 'hunter22' },
    ],
    not: [
      'postgres://app@db.acme.example/main',
      'https://acme.example:8080/a@b',
      'postgres://app:\u0024{DB_PASSWORD}@db/main',
      'postgres://user:<password>@db/main',
      'postgres://user:****@db/main',
    ],
  },
};
