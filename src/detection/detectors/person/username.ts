import { isPair, pairSet } from '../../byte-pairs.ts';
import { byteSet, CLASS, runEnd, textOf, UPPER } from '../../bytes.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { parseAssignment } from '../../families/secrets/assignment.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const FIELD =
  /(?:^|[._-])(?:user[ _.-]?name|user[ _.-]?login|login(?:[ _.-]?name)?|screen[ _.-]?name|nick[ _.-]?name|twitter(?:[ _.-]?handle)?|github[ _.-]?user|handle)$/i;
const VALUE = /^@?[A-Za-z][A-Za-z0-9._-]{2,31}$/;
/** System accounts, which are not personal. */
const SYSTEM =
  /^@?(?:root|admin|administrator|user(?:name)?|guest|test(?:user)?|demo|anonymous|nobody|postgres|mysql|oracle|sa|system|service|daemon|default|www-data|ubuntu|ec2-user|git|app|api|public|login|name|string|none|self|this|me)$/i;
const KEYWORD =
  /^(?:await|new|this|self|null|req|request|params|props|ctx|config|options|str|func|fn|get|set)\b|\.[A-Z]/;
const PHRASE =
  /(?:\b(?:user ?name|login(?: name)?|screen name|handle|nickname|gamertag|twitter|instagram|tiktok|telegram|snapchat|github|mastodon|user)(?: (?:account|handle|name|id))?(?: is|:| =| as)?|\b(?:follow|dm|find) (?:me|us) (?:on \w+ )?(?:at|as)?) ["']?$/i;
const BODY = byteSet('azAZ09..__--');
const AT = 0x40;

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
    // Without quotes a capital letter begins a type, and "await" is no user.
    if (
      !field.quoted &&
      (CLASS[bytes[field.start]!] === UPPER || KEYWORD.test(textOf(bytes, field.start, field.end)))
    )
      return rejectMatch(match, 'program');
    return accept(bytes, field.start, field.end, match);
  },
  mask: (value) => maskMiddle(value, 1, 0),
  examples: {
    match: [
      { text: 'username: jdoe42', value: 'jdoe42' },
      { text: '"user_name": "m.santos"', value: 'm.santos' },
      { text: 'my Twitter handle is @jane_writes', value: '@jane_writes' },
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
    ],
  },
};

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
  if (bytes[end] === AT || bytes[end] === 0x28) return rejectMatch(match, 'part of something else');
  const phrase = mayEndPhrase(bytes, at) && PHRASE.test(textOf(bytes, at - 40, at));
  if (!phrase && !(isBorder(before) && isBorder(bytes[end]!) && match.hasLabel(at)))
    return rejectMatch(match, 'label');
  const text = textOf(bytes, at, end);
  if (phrase && (!/[@\d_.]/.test(text) || KEYWORD.test(text))) return rejectMatch(match, 'a word');
  return accept(bytes, at, end, match);
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
