import { textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { hasText } from '../../../families/secrets/issued-token.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const URL = /^jdbc:[a-z][a-z0-9]{1,20}:[^\s"'`<>\0]{4,260}/;
const PARAMETER = /[?&;,](?:password|pwd)=([^&;,\s]+)/i;
const ORACLE = /^jdbc:oracle:[a-z]+:[^/@:]+\/([^@]+)@/;

/** In the parameters, or between user and host as Oracle writes it. What other URLs have before the "@" is found anyway. */
export const jdbcPassword: Detector = {
  id: 'JDBC_PASSWORD',
  title: 'Password in a JDBC address',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['dbc'] }],
  confidence: 0.95,
  verify(bytes, separator, match) {
    const at = separator - 4;
    if (!hasText(bytes, at, 'jdbc:')) return rejectMatch(match, 'scheme');
    const url = URL.exec(textOf(bytes, at, at + 290))?.[0];
    if (url === undefined) return rejectMatch(match, 'form');
    const read = PARAMETER.exec(url) ?? ORACLE.exec(url);
    if (read === null) return rejectMatch(match, 'password');
    if (isPlaceholder(read[1]!)) return rejectMatch(match, 'placeholder');
    const start = at + read.index + read[0].lastIndexOf(read[1]!);
    return acceptMatch(match, start, start + read[1]!.length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'jdbc:postgresql://db:5432/shop?user=app&password=tr0ub4dor', value: 'tr0ub4dor' },
      { text: 'url = "jdbc:sqlserver://db:1433;user=sa;password=9kQz-77;encrypt=true"', value: '9kQz-77' },
      { text: 'jdbc:oracle:thin:scott/hunter22@db:1521:orcl', value: 'hunter22' },
    ],
    not: [
      'jdbc:postgresql://db:5432/shop?user=app',
      'jdbc:mysql://db/shop?password=\u0024{DB_PASSWORD}',
      'jdbc:oracle:thin:@db:1521:orcl',
      'jdbc:h2:mem:test',
    ],
  },
};
