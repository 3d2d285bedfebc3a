import { byteSet, NEWLINE, runStart, textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { hasText } from '../../../families/secrets/issued-token.ts';
import { COLON } from '../../../families/shared-prefilters.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const PORTS = [':5432:', ':*:'];
const HOST = byteSet('azAZ09..--**__');
const REST = /^:(?:5432|\*):(?!\d+:)(?:[\w-]{1,63}|\*):[\w.-]{1,63}:([^:\s\0]{1,128})(?=\s|\0|$)/;

/** A line of .pgpass: host, port, database, user, password. Only the port makes it one, so it must be the usual one, or any. */
export const pgpassPassword: Detector = {
  id: 'PGPASS_PASSWORD',
  title: 'Password in .pgpass',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: COLON }],
  confidence: 0.9,
  verify(bytes, at, match) {
    if (!PORTS.some((port) => hasText(bytes, at, port))) return rejectMatch(match, 'port');
    const line = REST.exec(textOf(bytes, at, at + 330));
    if (line === null) return rejectMatch(match, 'form');
    const start = runStart(bytes, at, 128, HOST);
    const before = bytes[start - 1]!;
    if (start === at || (before !== NEWLINE && before !== 0)) return rejectMatch(match, 'host');
    if (isPlaceholder(line[1]!)) return rejectMatch(match, 'placeholder');
    const end = at + line[0].length;
    return acceptMatch(match, end - line[1]!.length, end, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'db.acme.example:5432:shop:app:tr0ub4dor', value: 'tr0ub4dor' },
      { text: '# all\n*:5432:*:postgres:hunter22\n', value: 'hunter22' },
      { text: '*:*:*:app:9kQz-77\n', value: '9kQz-77' },
      { text: 'localhost:5432:shop:jane:9kQz-77\n', value: '9kQz-77' },
    ],
    not: [
      'list:*:38:38:Mailing list',
      'docker run -p 127.0.0.1:5432:5432 postgres',
      'db.acme.example:5432:shop:app',
      'postgres://db:5432/shop',
      'db:5432:shop:app:********',
    ],
  },
};
