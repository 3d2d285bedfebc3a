import { byteSet, DOT, isAlnum, isDigit, SPACE, textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const ENTRY =
  /^machine\s{1,8}(?:[\w-]*[.\d]\S{0,128}|localhost)\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}([^\s\0]{1,256})/;

export const netrcPassword: Detector = {
  id: 'NETRC_PASSWORD',
  title: 'Password in .netrc',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ pattern: String.raw`\bmachine [A-Za-z0-9]` }],
  confidence: 0.95,
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    if (!namesHost(bytes, at + 'machine '.length)) return rejectMatch(match, 'form');
    const entry = ENTRY.exec(textOf(bytes, at, at + 600));
    if (entry === null) return rejectMatch(match, 'form');
    if (isPlaceholder(entry[1]!)) return rejectMatch(match, 'placeholder');
    const end = at + entry[0].length;
    return acceptMatch(match, end - entry[1]!.length, end, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'machine api.acme.example login jane password hunter22', value: 'hunter22' },
      { text: 'machine git.acme.example\n  login svc\n  password tr0ub4dor\n', value: 'tr0ub4dor' },
      { text: '# tokens\nmachine localhost login y password 9kQz-77', value: '9kQz-77' },
    ],
    not: [
      'machine learning login and password are the same for all students',
      'machine api.acme.example login jane',
      'machine api.acme.example login jane password <password>',
      'the machine needs a login',
    ],
  },
};

/** Requires a dot, a digit or "localhost" in the word after "machine": "The machine learning course" is no entry. */
function namesHost(bytes: Buffer, at: number): boolean {
  let i = at;
  while (i < at + 8 && (bytes[i]! <= SPACE || bytes[i] === 0xa0)) i++;
  while (i < at + 600 && WORD[bytes[i]!] === 1) i++;
  return bytes[i] === DOT || isDigit(bytes[i]!) || bytes[i - 1] === 0x74;
}

const WORD = byteSet('azAZ__--');
