import { NEWLINE, SPACE, textOf } from '../../bytes.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { type Detector, found, refused } from '../../detector.ts';
import { type Assignment, nameEndBefore, readAssignment } from '../../families/assignment.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NAME = /(?:^|[._-]|[a-z0-9])(?:pass(?:word|wd|phrase|code)?|pwd)$|^(?:.*[_.-])?pw$/i;
/** Bypass, compass, encompass: words that only end like it. */
const OTHER_NAME =
  /(?:by|com|encom|tres|sur)pass$|(?:hash(?:ed)?|encrypted|old|confirm|verify|min|max|no)[_-]?pass(?:word|wd)?$/i;
const SHORTEST = 4;
const LONGEST = 128;
const SENTENCE = /^\s|\s$|\s\S+\s/;
const VERSION = /^[~^]?\d+\.\d+\.\d+$/; // a package called something-pass

export const password: Detector = {
  id: 'PASSWORD',
  title: 'Password',
  category: 'credential',
  standing: 'labelled',
  regulations: ['soc2'],
  risk: 9,
  anchors: [
    { assigned: ['password', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', '_pw', '-pw', '.pw'] },
  ],
  confidence: 0.75,
  verify(bytes, at, match) {
    if (!endsLikeName(bytes, nameEndBefore(bytes, at))) return refused(match, 'name');
    const assigned = readAssignment(bytes, at);
    if (assigned === null) return refused(match, 'assigned value');
    if (!NAME.test(assigned.name) || OTHER_NAME.test(assigned.name)) return refused(match, 'name');
    const value = textOf(bytes, assigned.start, assigned.end);
    if (value.length < SHORTEST || value.length > LONGEST) return refused(match, 'length');
    if (isPlaceholder(value) || namesSomethingElse(value, assigned.name))
      return refused(match, 'placeholder');
    if (assigned.quoted ? SENTENCE.test(value) : !standsAsValue(bytes, at, assigned, value))
      return refused(match, 'prose or code');
    return found(match, assigned.start, assigned.end, REASON.pattern | REASON.assignment);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'password=hunter2', value: 'hunter2' },
      { text: '"db_password": "tr0ub4dor&3",', value: 'tr0ub4dor&3' },
      { text: 'PWD: changeme\n', value: 'changeme' },
      { text: "userPassword = 'S3cret!';", value: 'S3cret!' },
      { text: '<password>hunter22</password>', value: 'hunter22' },
    ],
    not: [
      'password=\u0024{DB_PASSWORD}',
      'password: <password>',
      'password = xxxxxxxx',
      'password = process.env.DB_PASSWORD',
      "password = os.environ['DB_PASSWORD']",
      'password: null',
      'password=""',
      'password: "********"',
      'password: string;',
      'Password: must be at least 8 characters',
      'password = getPassword()',
      'password == hunter2',
      'bypass=hunter2',
      'PWD=/home/jane/work',
      '"pgpass": "1.0.5"',
      'password = user.password',
    ],
  },
};

/** The ends of NAME, byte by byte: "case", "node" and "record" come by here by the thousand. */
function endsLikeName(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1]! | 32;
  const second = bytes[end - 2]! | 32;
  if (last === 0x77) return second === 0x70; // pw
  if (last === 0x73) return second === 0x73 && (bytes[end - 4]! | 32) === 0x70; // pass
  if (last === 0x65) return endsLikePhrase(bytes, end, second);
  if (last !== 0x64) return false;
  return second === 0x77 || (bytes[end - 5]! | 32) === 0x73; // pwd, passwd, password
}

/** passphrase, passcode */
function endsLikePhrase(bytes: Buffer, end: number, second: number): boolean {
  return (bytes[end - (second === 0x73 ? 7 : 5)]! | 32) === 0x73;
}

/** `password: password`, `password: userPassword`, `"pgpass": "1.0.5"`: a variable of that name, a version, a folder. */
function namesSomethingElse(value: string, name: string): boolean {
  if (/^[\w$]+pass(?:word|wd)$/i.test(value) || VERSION.test(value)) return true;
  if (/^pwd$/i.test(name) && /^[/.~]/.test(value)) return true; // the shell's working directory
  return value.replace(/^[$:@]+/, '').toLowerCase() === name.toLowerCase();
}

/** Without quotes it may be code or prose: calls, members, types and the first word of a sentence are no passwords. */
function standsAsValue(bytes: Buffer, at: number, assigned: Assignment, value: string): boolean {
  if (/[()[\]{}]|=>|&&/.test(value) || /^[a-z_$]\w*(?:\.[a-z_$]\w*)+$/i.test(value)) return false;
  let next = assigned.end;
  while (bytes[next] === SPACE && next < assigned.end + 8) next++;
  const after = bytes[next]!;
  const lineEnds = after === NEWLINE || after === 0x0d || after === 0;
  if (lineEnds) return true;
  const plainWord = /^[A-Za-z_]+$/.test(value);
  // NAME=value before more words is shell or a connection string; "name: value more" is prose, unless it looks like no word.
  if (bytes[at] === 0x3d && bytes[at + 1] !== SPACE) return !(plainWord && after === 0x2c);
  return next === assigned.end ? !plainWord : value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
}
