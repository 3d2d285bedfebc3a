import { isPair, pairSet } from '../../byte-pairs.ts';
import { byteSet, CLASS, COLON, runEnd, SPACE, textOf, UPPER } from '../../bytes.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { type Assignment, parseAssignment } from '../../families/secrets/assignment.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const FIELD =
  /(?:^|[._-])(?:user[ _.-]?name|user[ _.-]?login|login(?:[ _.-]?name)?|screen[ _.-]?name|nick[ _.-]?name|twitter(?:[ _.-]?handle)?|github[ _.-]?user)$|^(?:(?:user|social|github|instagram|telegram|tiktok|screen)[ _.-]?)?handle$/i;
/** A handle is more often a reference to a file or a window. */
const HANDLE = /handle$/i;
const VALUE = /^@?[A-Za-z][A-Za-z0-9._-]{2,31}$/;
/** System accounts, which are not personal. */
const SYSTEM =
  /^@?(?:root|admin|administrator|user(?:name)?|guest|test(?:user)?|demo|anonymous|nobody|postgres|mysql|oracle|sa|system|service|daemon|default|www-data|ubuntu|ec2-user|git|app|api|public|login|name|string|none|self|this|me|pass(?:word|wd)?|account|email|bytes|async|null|undefined|true|false|optional|required|unknown|user_?name|the|use|shift|over|failure|success)$/i;
const KEYWORD =
  /^(?:await|new|this|self|null|req|request|params|props|ctx|config|options|str|func|fn|get|set)\b|\.[A-Z]/;
const PHRASE =
  /(?:\b(?:user ?name|login(?: name)?|screen name|handle|nickname|gamertag|twitter|instagram|tiktok|telegram|snapchat|github|mastodon|user)(?: (?:account|handle|name|id))?(?: is|:| =| as)?|\b(?:follow|dm|find) (?:me|us) (?:on \w+ )?(?:at|as)?) ["']?$/i;
const BODY = byteSet('azAZ09..__--');
const AT = 0x40;
const DOLLAR = 0x24;
const BRACKET = 0x5d;

export const username: Detector = {
  id: 'USERNAME',
  title: 'User name or handle',
  category: 'direct_identifier',
  strength: 'context',
  regulations: ['gdpr', 'ccpa'],
  risk: 3,
  prefilters: [
    {
      assigned: [
        'rname',
        'r_name',
        'r-name',
        'r name',
        'r.name',
        'nname',
        'n_name',
        'n-name',
        'n name',
        'n.name',
        'kname',
        'k_name',
        'k-name',
        'k name',
        'k.name',
        'login',
        'handle',
        'twitter',
        'user',
      ],
    },
    { pattern: ' @[A-Za-z]' },
    { pattern: String.raw`\b[a-z][a-z0-9._-]{2}`, labelled: 'column' },
  ],
  confidence: 0.6,
  context: {
    words: [
      ...[
        'username',
        'user name',
        'login name',
        'screen name',
        'nickname',
        'gamertag',
        'handle',
        'twitter',
        'instagram',
      ],
      ...['tiktok', 'telegram', 'snapchat', 'mastodon', 'follow me'],
    ],
    avoid: ['domain'],
  },
  verify(bytes, at, match) {
    const first = bytes[at]!;
    if (first === 0x20) return written(bytes, at + 1, match);
    if (CLASS[first] !== 0) return written(bytes, at + phraseLength(bytes, at), match);
    if (!mayBeUser(bytes, at)) return rejectMatch(match, 'field name');
    const field = parseAssignment(bytes, at);
    if (field === null || !FIELD.test(field.name)) return rejectMatch(match, 'field name');
    if (field.quoted ? isCondition(bytes, at, field) : isProgram(bytes, at, field))
      return rejectMatch(match, 'program');
    return accept(bytes, field.start, field.end, match);
  },
  mask: (value) => maskMiddle(value, 1, 0),
  examples: {
    match: [
      { text: 'username: jdoe42', value: 'jdoe42' },
      { text: '"user_name": "m.santos"', value: 'm.santos' },
      { text: 'my Twitter handle is @jane_writes', value: '@jane_writes' },
      { text: 'handle: "jane_writes"', value: 'jane_writes' },
      { text: 'jdoe42', field: 'username' },
    ],
    not: [
      'username: admin',
      'username = \u0024{USER}',
      'user name: the',
      'jdoe42',
      'username=os.environ',
      'Twitter was down',
      'handle: net.Socket',
      'const handle = await open()',
      'user_name=user_name',
      'handle = key_bindings.add',
      'self._handle = file1',
      'login = account = None',
      'hint ? "login" : "select_account"',
      'username = user.name',
      'handle: the PRCounterHandle',
    ],
  },
};

/** `hint ? "login" : "account"`, and the name of a constant. */
function isCondition(bytes: Buffer, separator: number, { name, nameStart, start, end }: Assignment): boolean {
  const value = textOf(bytes, start, end);
  // REMOVE_LOGIN = "remove_login", handle = 'closed'
  if (/_(?:user|login|name|handle)$/i.test(value)) return true;
  if (HANDLE.test(name) && bytes[separator] !== COLON && /^[A-Za-z]+$/.test(value)) return true;
  return /\? ?\\{0,2}["'`]$/.test(textOf(bytes, nameStart - 5, nameStart));
}

/** Without quotes a capital letter begins a type, "await" is no user, and a plain word is mostly a variable or prose. */
function isProgram(bytes: Buffer, separator: number, field: Assignment): boolean {
  const value = textOf(bytes, field.start, field.end);
  if (CLASS[bytes[field.start]!] === UPPER || KEYWORD.test(value)) return true;
  const before = bytes[field.nameStart - 1]!;
  if (before === AT || before === DOLLAR || bytes[separator - 1] === BRACKET) return true;
  if (/[.,]$/.test(value)) return true;
  if (HANDLE.test(field.name)) return bytes[field.start] !== AT;
  const after = bytes[field.end]!;
  if (after === 0x3e || (after === 0x3c && bytes[field.end + 1] !== 0x2f)) return true;
  if (/(?:user|name|login|account|nick|handle)(?![a-z]*\d)/i.test(value)) return true;
  const next = textOf(bytes, field.end, field.end + 4);
  const fillsLine = /^[ \t]{0,3}(?:[\r\n\0]|$)/.test(next);
  if (/^[a-z]+(?:-[a-z]+)+$/i.test(value) && !fillsLine) return true;
  if (/^[A-Za-z]+$/.test(value))
    return !(fillsLine && beginsLine(bytes, field.nameStart) && isTightOrYaml(bytes, separator));
  // members.of.objects, snake_case, a parameter
  if (/^[a-z_]\w*(?:\.[a-z_]\w*)+$/i.test(value))
    return !fillsLine || bytes[separator] !== COLON || /_/.test(value);
  return /^\s?[;(|?]/.test(next) || (value.includes('_') && !/\d/.test(value) && !fillsLine);
}

/** `NAME=value` and `name: value`, but not `name = value`. */
function isTightOrYaml(bytes: Buffer, separator: number): boolean {
  return bytes[separator] === COLON || (bytes[separator - 1] !== SPACE && bytes[separator + 1] !== SPACE);
}

function beginsLine(bytes: Buffer, nameStart: number): boolean {
  return /(?:^|[\n\0])[ \t]*(?:- |export )?["']?$/.test(textOf(bytes, nameStart - 40, nameStart));
}

/** Tests what precedes the suffix, which rejects most names before they are parsed: user-name, lo-gin, han-dle, twit-ter. */
function mayBeUser(bytes: Buffer, separator: number): boolean {
  let end = separator;
  while (end > separator - 4 && CLASS[bytes[end - 1]!] === 0) end--;
  if (!isPair(TAILS, bytes, end - 4)) return false;
  if ((bytes[end - 2]! | 32) !== 0x6d) return true;
  // …name: that of a user, of a screen, a login or a nickname.
  return isPair(NAMED, bytes, CLASS[bytes[end - 5]!] === 0 ? end - 7 : end - 6);
}

/** The letter before the tail and its first one: n-ame, o-gin, n-dle, t-ter. */
const TAILS = pairSet('na og nd tt');
const NAMED = pairSet('er en in ck');

/** "username is " before the name. */
function phraseLength(bytes: Buffer, at: number): number {
  if ((bytes[at]! | 32) !== 0x75) return 0;
  return /^user ?name is /i.exec(textOf(bytes, at, at + 13))?.[0].length ?? 0;
}

/** In a sentence only what is not an ordinary word: with @, a digit or a special character. */
function written(bytes: Buffer, at: number, match: Match): boolean {
  const before = bytes[at - 1]!;
  if (CLASS[before] !== 0 || before === AT) return rejectMatch(match, 'stands alone');
  const from = bytes[at] === AT ? at + 1 : at;
  let end = runEnd(bytes, from, 33, BODY);
  while (end > from && CLASS[bytes[end - 1]!] === 0) end--;
  if (bytes[end] === AT || bytes[end] === 0x28 || bytes[end] === 0x7b)
    return rejectMatch(match, 'part of something else');
  const phrase = mayEndPhrase(bytes, at) && PHRASE.test(textOf(bytes, at - 40, at));
  if (!phrase && !(isBorder(before) && isBorder(bytes[end]!) && match.hasLabel(at)))
    return rejectMatch(match, 'label');
  const text = textOf(bytes, at, end);
  if (
    phrase &&
    (!/[@\d_.]/.test(text) || KEYWORD.test(text) || /^@[A-Z]+(?:_|$)/.test(text) || isMarkup(bytes, at, text))
  )
    return rejectMatch(match, 'a word');
  return accept(bytes, at, end, match);
}

/** `handle = key_bindings.add`, `@username @domain`: assignments have been tried, and a word after @ may be a tag. */
function isMarkup(bytes: Buffer, at: number, text: string): boolean {
  const before = textOf(bytes, at - 40, at);
  if (/@[a-z]+ $/i.test(before)) return true;
  return !text.startsWith('@') && /(?: =|handle ?:) ["']?$/i.test(before);
}

/** By the last two letters before the blank of PHRASE: "* @param" is no user. */
function mayEndPhrase(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  const blank = before === 0x22 || before === 0x27 ? at - 2 : at - 1;
  if (bytes[blank] !== 0x20) return false;
  return bytes[blank - 1] === 0x20 || isPair(PHRASE_TAILS, bytes, blank - 2);
}

const PHRASE_TAILS = pairSet('me in le ag er am ok at ub on nt id is as *: *=');

function accept(bytes: Buffer, start: number, end: number, match: Match): boolean {
  const text = textOf(bytes, start, end);
  if (!VALUE.test(text)) return rejectMatch(match, 'form');
  if (SYSTEM.test(text) || isPlaceholder(text) || /\.(?:com|org|net|io|js|ts|py|name|user)/.test(text))
    return rejectMatch(match, 'placeholder');
  return acceptMatch(match, start, end, REASON.pattern | REASON.contextWord);
}

function isBorder(byte: number): boolean {
  return (
    byte === 0 ||
    byte === 9 ||
    byte === 10 ||
    byte === 13 ||
    byte === 0x22 ||
    byte === 0x2c ||
    byte === 0x3b ||
    byte === 0x7c
  );
}
