import { byteSet, runEnd, textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { isPublishedPassword } from '../../../checks/published-password.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../../detector.ts';
import { type Assignment, nameEndBefore, parseAssignment } from '../../../families/secrets/assignment.ts';
import { isCodeOrProse } from '../../../families/secrets/code-value.ts';
import { passwordInCommand } from '../../../families/secrets/command-password.ts';
import { pairedName } from '../../../families/secrets/paired-name.ts';
import { passwordAfterWord } from '../../../families/secrets/password-after-word.ts';
import {
  endsLikePasswordName,
  isAccountPasswordName,
  isPasswordName,
  isWeakPasswordName,
} from '../../../families/secrets/password-name.ts';
import { PASSWORD_WORDS } from '../../../families/secrets/password-words.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const LINE = 200;
const RESULT = '(?:X?PASS|[XK]?FAIL|SKIP|ERROR|UN(?:TESTED|SUPPORTED|RESOLVED)): ';
const GOES_ON = /^ +\S/;
const BEFORE = new RegExp(`[\\n\\0]${RESULT}[^\\n]*\\n$`);
const AFTER = new RegExp(`^[^\\n]*\\n${RESULT}`);

const MIN_LENGTH = 4;

const MAX_LENGTH = 128;

const SENTENCE = /^\s|\s$|\s\S+\s/;

// The version of a package called something-pass.
const VERSION = /^[~^]?\d+\.\d+\.\d+$/;

const PATH = /^(?:\/|~\/|\.{1,2}\/|projects\/)[\w.-]+(?:\/[\w.-]+)+$|^\*\.\w+$/;

/** `"password": "Heslo"`: a translation. */
const PASSWORD_WORD = new RegExp(
  `^(?:${PASSWORD_WORDS.flatMap(({ words }) => words)
    .map((word) => Buffer.from(word).toString('latin1').replace('.', '\\.'))
    .join('|')}):?$`,
  'i',
);

const FOREIGN_WORDS = PASSWORD_WORDS.flatMap(({ language, words }) => (language === 'English' ? [] : words));
/** What begins with "pass" is found by one pattern for all. */
const PATTERNS = [...new Set(FOREIGN_WORDS)]
  .filter((word) => !word.startsWith('pass'))
  .map((word) => `(?i)\\b${word.replace('.', '\\.')}`);
const COLUMN_WORDS = FOREIGN_WORDS.filter((word) => !/[’']/.test(word)).map((word) =>
  word.toLowerCase().replace(/[_-]/g, ' '),
);

export const password: Detector = {
  id: 'PASSWORD',
  title: 'Password',
  category: 'credential',
  strength: 'context',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [
    {
      assigned: [
        'password',
        'passwd',
        'pwd',
        'pass',
        'passphrase',
        'passcode',
        '_pw',
        '-pw',
        '.pw',
        '\npw',
        '\0pw',
        ' pw',
        '"pw',
        "'pw",
        'psk',
      ],
    },
    { assigned: ['passwort', 'passe', 'value', 'default'] },
    { pattern: `(?i)pass(?:word|wd|wort|ord|phrase|code|e)?["'(: ][ =:"',]?.` },
    { pattern: `(?i)\\bpwd["'( ]` },
    ...PATTERNS.map((pattern) => ({ pattern })),
    { pattern: `\\bcurl -` },
    { pattern: String.raw`\bsshpass -p` },
    { pattern: String.raw`(?i)\bidentified by ["']` },
    { pattern: String.raw`\brequirepass ` },
    { pattern: String.raw`\bPASSWORD <<` },
    { pattern: String.raw`\bENV [A-Z]` },
    { pattern: String.raw`\b_password=` },
    { pattern: String.raw`\b[A-Za-z0-9][!-~]{3}`, labelled: 'column' },
    { pattern: '[!#$%&*+@^~?][!-~]{3}', labelled: 'column' },
  ],
  confidence: 0.75,
  context: {
    words: [...new Set(['password', 'passwd', 'pwd', 'passphrase', 'passcode', ...COLUMN_WORDS])],
  },
  verify(bytes, at, match) {
    if (ASSIGNS[bytes[at]!] === 1) return afterSeparator(bytes, at, match);
    const aligned = alignedSeparator(bytes, at);
    if (aligned !== 0) return afterSeparator(bytes, aligned, match);
    if (passwordAfterWord(bytes, at, match) || passwordInCommand(bytes, at, match)) return true;
    return inCell(bytes, at, match);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'password=hunter2', value: 'hunter2' },
      { text: '"db_password": "tr0ub4dor&3",', value: 'tr0ub4dor&3' },
      { text: 'PWD: changeme\n', value: 'changeme' },
      { text: 'USER: ann\nPASS: tr0ub4dor\n', value: 'tr0ub4dor' },
      { text: "userPassword = 'S3cret!';", value: 'S3cret!' },
      { text: '<password>hunter22</password>', value: 'hunter22' },
      { text: "define('DB_PASSWORD', 'tr0ub4dor');", value: 'tr0ub4dor' },
      { text: 'account.setPassword("S3same!open");', value: 'S3same!open' },
      { text: ":password => 'tr0ub4dor'", value: 'tr0ub4dor' },
      { text: '<add key="DbPassword" value="tr0ub4dor"/>', value: 'tr0ub4dor' },
      { text: '- name: DB_PASSWORD\n  value: gopher!9\n', value: 'gopher!9' },
      { text: 'mysqldump --password hunter22 shop', value: 'hunter22' },
      { text: 'curl -u ann:tr0ub4dor3 https://api.acme.example', value: 'tr0ub4dor3' },
      { text: "CREATE USER ann WITH PASSWORD 'tr0ub4dor';", value: 'tr0ub4dor' },
      { text: 'The password is tr0ub4dor&3.', value: 'tr0ub4dor&3' },
      { text: 'password: |\n  hunter22\n', value: 'hunter22' },
      { text: 'variable "db_password" {\n  default = "Gr33nTea"\n}', value: 'Gr33nTea' },
      { text: 'Kennwort: Gr33nTea', value: 'Gr33nTea' },
      { text: 'router    password: Otter_Compass34\n', value: 'Otter_Compass34' },
      { text: 'Tr0ub4dor&3', field: 'password' },
      { text: 'Tr0ub4dor&3', field: 'Contraseña' },
      { text: '!sesame-7', field: 'user_pwd' },
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
      'PASS: gdb.ada/assign_1.exp: print 3 = 3\n',
      'PASS: addr2line\nFAIL: readelf2\n',
      'XFAIL: a\nPASS: addr2line\n',
      'PWD=/home/jane/work',
      '"pgpass": "1.0.5"',
      'password = user.password',
      'self.password = password',
      'password: SecretStr',
      'ResultPass = Resolver->getPass()',
      'getpass = win_getpass',
      '--- PASS: TestAscii',
      '"password": "Heslo"',
      'tool --password FILE',
      'the password is wrong',
      'setPassword(newPassword1)',
      { text: 'expired', field: 'password_status' },
      { text: '2024-01-15T10:00:00Z', field: 'password_changed' },
      { text: '5f4dcc3b5aa765d61d8327deb882cf99', field: 'password' },
      { text: '$2b$12$KIXQ1v7bq8s3m0a9yZ0qEO', field: 'password' },
    ],
  },
};

const ASSIGNS = byteSet('::==>>');

/** The value of an assignment to a name of a password, or to one that stands apart from it. */
function afterSeparator(bytes: Buffer, at: number, match: Match): boolean {
  const nameEnd = nameEndBefore(bytes, at);
  const paired = endsLikeValue(bytes, nameEnd);
  if (!paired && !endsLikePasswordName(bytes, nameEnd)) return rejectMatch(match, 'name');
  const assigned = parseAssignment(bytes, at);
  if (assigned === null) return rejectMatch(match, 'assigned value');
  const name = paired ? pairedName(bytes, at, assigned.nameStart) : assigned.name;
  if (name === null || !isPasswordName(name)) return rejectMatch(match, 'name');
  const whole = textOf(bytes, assigned.start, assigned.end);
  // The parameter of a query ends where the next begins.
  const before = bytes[assigned.nameStart - 1]!;
  const isQuery = before === 0x3f || before === 0x26;
  const value = isQuery ? /^[^&#]*/.exec(whole)![0] : whole;
  const end = assigned.start + value.length;
  if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return rejectMatch(match, 'length');
  if (isPlaceholder(value) || namesSomethingElse(value, name)) return rejectMatch(match, 'placeholder');
  // application/x-pw is a type.
  if (before === 0x2f && bytes[at] === 0x3a) return rejectMatch(match, 'name');
  if (isProgram(bytes, at, { ...assigned, end }, name, value)) return rejectMatch(match, 'prose or code');
  if (isTestResult(bytes, assigned.name, at, assigned.end)) return rejectMatch(match, 'result of a test');
  if (isPublishedPassword(value)) {
    match.confidence = 0.55;
    match.reasons |= REASON.testValue;
  }
  // Its name has been weighed.
  match.hasLabel(assigned.start);
  // A password in a query is stronger than the URL around it.
  const reasons = REASON.pattern | REASON.assignment | (isQuery ? REASON.structure : 0);
  return acceptMatch(match, assigned.start, end, reasons);
}

/** The position of the separator after a word and at least four blanks, as in aligned settings; 0 if there is none. */
function alignedSeparator(bytes: Buffer, at: number): number {
  const end = runEnd(bytes, at, 12, LETTER);
  const separator = runEnd(bytes, end, 40, BLANK);
  return separator - end >= 4 && ASSIGNS[bytes[separator]!] === 1 ? separator : 0;
}

const LETTER = byteSet('azAZ');
const BLANK = byteSet('  \t\t');

/** …value, …default */
function endsLikeValue(bytes: Buffer, end: number): boolean {
  const third = bytes[end - 3]! | 32;
  const last = bytes[end - 1]! | 32;
  return (last === 0x65 && third === 0x6c) || (last === 0x74 && third === 0x75);
}

/** Results of tests, sources of accounts, answers of a configure script. */
const NO_VALUE =
  /^(?:pass(?:ed)?|fail(?:ed|ure)?|ok|pending|skip(?:ped)?|define|undef|files|compat|systemd|nis|ldap|sss|winbind)$|^\\|^your\W|^-|^\$\w+\[/i;

function isProgram(bytes: Buffer, at: number, assigned: Assignment, name: string, value: string): boolean {
  if (NO_VALUE.test(value)) return true;
  const weak = isWeakPasswordName(name);
  // "Passwort: erforderlich" is prose.
  if (
    !assigned.quoted &&
    bytes[at] === 0x3a &&
    /(?:wort|passe)$/i.test(name) &&
    /^[a-z\x80-\xff]+$/i.test(value)
  )
    return true;
  if (!assigned.quoted) return isCodeOrProse(bytes, at, assigned, weak);
  if (SENTENCE.test(value)) return !/phrase$/i.test(name) || /[.,:?]/.test(value);
  return weak && /^(?:[A-Za-z]+|\d+)$/.test(value) && (!isAccountPasswordName(name) || /^pw$/i.test(name));
}

const QUOTE = 0x22;

/** What parts the cells of a table. */
const PARTS = byteSet('\t\t,,;;||');

const ENDS = byteSet('\x00\x00\n\n\r\r');

/** A whole cell of a labelled column, where hashes, dates and states occur too. */
function inCell(bytes: Buffer, at: number, match: Match): boolean {
  const quoted = bytes[at - 1] === QUOTE;
  const before = bytes[quoted ? at - 2 : at - 1]!;
  if (PARTS[before] === 0 && ENDS[before] === 0) return rejectMatch(match, 'within a cell');
  let end = at;
  while (end - at <= MAX_LENGTH && !endsCell(bytes[end]!, quoted, before)) end++;
  const value = textOf(bytes, at, end);
  if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return rejectMatch(match, 'length');
  if (isPlaceholder(value) || VERSION.test(value)) return rejectMatch(match, 'placeholder');
  if (!MIXED.test(value) || NO_PASSWORD.test(value)) return rejectMatch(match, 'word, hash or date');
  // In the header of a table names follow each other, so a preceding word is no label here.
  if (!match.hasLabel(at) || (match.reasons & REASON.fieldName) === 0) return rejectMatch(match, 'label');
  return acceptMatch(match, at, end, REASON.pattern);
}

/** The cell ends with the byte it began after; in the first column any delimiter is accepted. */
function endsCell(byte: number, quoted: boolean, before: number): boolean {
  if (quoted) return byte === QUOTE || ENDS[byte] === 1;
  return ENDS[byte] === 1 || (PARTS[before] === 1 ? byte === before : PARTS[byte] === 1);
}

/** Letters and something else, or capitals among the small ones; no blanks. */
const MIXED = /^(?=\S+$)(?:.*[A-Za-z].*[^A-Za-z]|.*[^A-Za-z].*[A-Za-z]|.*[a-z].*[A-Z])/;

const NO_PASSWORD =
  /^[$*!]?(?:\$|\{)|^[0-9a-f]{16,}$|^[0-9A-F]{16,}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}|^[\w.-]+\$|^\w+:\/\/|^\d{1,4}[-/.]\d{1,2}[-/.]\d|^\d+(?:\.\d+)? ?[a-z]{1,4}$|={1,2}$|^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i;

/** `password: password`, `password: userPassword`, `"pgpass": "1.0.5"`: a variable of that name, a version, a folder. */
function namesSomethingElse(value: string, name: string): boolean {
  if (/^[\w$]+pass(?:word|wd)$/i.test(value) || VERSION.test(value) || PATH.test(value)) return true;
  if (PASSWORD_WORD.test(value)) return true;
  if (/^pwd$/i.test(name) && /^[/.~]/.test(value)) return true; // the shell's working directory
  return value.replace(/^[$:@]+/, '').toLowerCase() === name.toLowerCase();
}

/** "PASS: addr2line -f option": a line of a test run, recognised by what follows the first word, or by adjacent lines. */
function isTestResult(bytes: Buffer, name: string, colon: number, valueEnd: number): boolean {
  if (name !== 'PASS' && name !== 'XPASS') return false;
  const start = colon - name.length;
  const after = textOf(bytes, valueEnd, valueEnd + LINE);
  return GOES_ON.test(after) || AFTER.test(after) || BEFORE.test(textOf(bytes, start - LINE, start));
}
