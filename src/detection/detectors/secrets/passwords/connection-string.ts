import { runStart, textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { parseAssignment } from '../../../families/secrets/assignment.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const EQUALS = 0x3d;
const AROUND = 200;
/** Everything but the end of a line and what closes a text. */
const SAME_TEXT = new Uint8Array(256).fill(1);
for (const byte of '\0\n\r"<>`') SAME_TEXT[byte.charCodeAt(0)] = 0;
const SERVER =
  /(?:^|[;'\s])\s*(?:server|data source|datasource|host|addr|address|driver|provider|initial catalog|database)\s*=[^;]+;/i;

/** `Server=…;Database=…;User Id=…;Password=…` as .NET and ODBC write it. */
export const connectionString: Detector = {
  id: 'CONNECTION_STRING',
  title: 'Password in a connection string',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['password', 'pwd'] }],
  confidence: 0.9,
  verify(bytes, at, match) {
    const assigned = bytes[at] === EQUALS ? parseAssignment(bytes, at) : null;
    if (assigned === null || assigned.quoted) return rejectMatch(match, 'assigned value');
    if (!/^(?:password|pwd)$/i.test(assigned.name)) return rejectMatch(match, 'name');
    const before = textOf(bytes, runStart(bytes, at, AROUND, SAME_TEXT), at);
    if (!SERVER.test(before) && !SERVER.test(after(bytes, assigned.end))) return rejectMatch(match, 'server');
    if (isPlaceholder(textOf(bytes, assigned.start, assigned.end))) return rejectMatch(match, 'placeholder');
    return acceptMatch(match, assigned.start, assigned.end, REASON.structure | REASON.assignment);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: '"Server=db1;Database=shop;User Id=sa;Password=tr0ub4dor;"', value: 'tr0ub4dor' },
      { text: 'Driver={ODBC Driver 18};Server=tcp:x,1433;Uid=app;Pwd=9kQz-77;', value: '9kQz-77' },
      { text: '<add connectionString="Data Source=.;User ID=u;Password=hunter22"/>', value: 'hunter22' },
      { text: 'Password=hunter22;Host=pg;Database=x;', value: 'hunter22' },
    ],
    not: [
      'Password=hunter22',
      'Server=db1;Database=shop;User Id=sa;Password=\u0024{DB_PASSWORD};',
      'Server=db1;Database=shop;Integrated Security=true;',
      'Server=db1;Database=shop;Password=********;',
    ],
  },
};

function after(bytes: Buffer, from: number): string {
  const text = textOf(bytes, from, from + AROUND);
  return text.slice(0, /[\0\n\r"<>`]|$/.exec(text)!.index);
}
