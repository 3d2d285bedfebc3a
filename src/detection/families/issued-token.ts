import { byteSet, isAlnum, runEnd, textOf } from '../bytes.ts';
import { entropy, looksRandom } from '../checks/entropy.ts';
import { isFiller } from '../checks/placeholder.ts';
import { acceptMatch, type Detector, type Example, type Match, rejectMatch } from '../detector.ts';
import { maskSecret } from '../masks.ts';
import { REASON } from '../reasons.ts';
import { lettersOf, syntheticSecret } from './synthetic-secret.ts';
import { textsAt } from './texts-at.ts';

/** What the issuer puts in front, and how many characters follow. */
interface Prefix {
  readonly text: string;
  readonly length: readonly [number, number];
  /** Where it is not that of the others. */
  readonly alphabet?: string;
}

interface IssuedToken
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'context' | 'examples'>> {
  readonly prefixes: readonly Prefix[];
  readonly alphabet: string;
  /** Of what follows the prefix, where more is known than its characters. */
  readonly shape?: RegExp;
  /** Base64 may end in "=" or "==", which the alphabet leaves out. */
  readonly padded?: boolean;
  /** Null: this one has none. A token whose sum is wrong is told with less confidence: formats change, values are cut. */
  readonly checksum?: (body: string, prefix: string) => boolean | null;
  /** What may follow the first prefix, where it is not just characters of the alphabet. */
  readonly sample?: string;
}

const DOUBTED = 0.6;
const PREFILTER = 12;
const LONG = 100;
const EQUAL_SIGN = 0x3d;
const EQUALS = byteSet('==');
/** Words and identifiers: a random text of many characters has capitals or digits as well. */
const WORDS = /^(?:[a-z._-]+|[A-Z._-]+)$/;

/**
 * A secret that its issuer made recognisable: a prefix, then random characters of a known alphabet and length. Examples of
 * the plain cases are made here; a file adds what is particular to its kind.
 */
export function issuedToken(token: IssuedToken): Detector {
  const { prefixes, alphabet, shape, padded = false, checksum, sample, examples, ...rest } = token;
  const kinds = prefixes.map((prefix) => ({ ...prefix, ...lettersFor(prefix.alphabet ?? alphabet) }));
  const prefixAt = textsAt(prefixes.map(({ text }) => text));
  const shown = prefixes.map(({ text }) => shortened(text));

  function accept(bytes: Buffer, at: number, kind: Kind, match: Match): boolean {
    // A long run is walked once: inside a run of its own characters nothing begins.
    const before = bytes[at - 1]!;
    if (kind.length[1] > LONG && before !== EQUAL_SIGN && kind.set[before] === 1)
      return rejectMatch(match, 'stands alone');
    const body = at + kind.text.length;
    const bodyEnd = runEnd(bytes, body, kind.length[1] + 1, kind.set);
    const length = bodyEnd - body;
    if (length < kind.length[0] || length > kind.length[1]) return rejectMatch(match, 'length');
    const end = padded ? runEnd(bytes, bodyEnd, 2, EQUALS) : bodyEnd;
    if (isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
    const text = textOf(bytes, body, bodyEnd);
    if (shape?.test(text) === false) return rejectMatch(match, 'form');
    match.entropy = entropy(text);
    // Documentation writes ghp_xxxxxxxx, and code has names that begin like a prefix.
    if (isFiller(text) || (kind.digits && WORDS.test(text))) return rejectMatch(match, 'placeholder');
    if (!looksRandom(match.entropy, text.length, kind.letters)) return rejectMatch(match, 'entropy');
    const proof = checksum?.(text, kind.text) ?? null;
    if (proof === false) match.confidence = DOUBTED;
    return acceptMatch(match, at, end, REASON.issuer | (proof ? REASON.checksum : 0));
  }

  return {
    risk: 9,
    confidence: 0.95,
    ...rest,
    category: 'credential',
    standing: 'issued',
    regulations: ['soc2'],
    prefilters: [...new Set(kinds.map(prefilterOf))].map((pattern) => ({ pattern })),
    verify(bytes, at, match) {
      if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
      for (let n = prefixAt(bytes, at); n >= 0; n = prefixAt(bytes, at, n + 1))
        if (accept(bytes, at, kinds[n]!, match)) return true;
      return match.rejectReason === '' ? rejectMatch(match, 'prefix') : false;
    },
    mask: (value) => maskSecret(value, shown),
    examples: withPlainOnes(prefixes, alphabet, sample, examples),
  };
}

export function hasText(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** As much of a public text as a mask may show: eight letters and digits, up to a separator. */
export function shortened(prefix: string): string {
  let shown = prefix;
  while (shown.replace(/[^A-Za-z0-9]/g, '').length > 8)
    shown = shown.slice(0, -1).replace(/[A-Za-z0-9]+$/, '');
  return shown;
}

interface Kind extends Prefix {
  readonly set: Uint8Array;
  readonly letters: number;
  readonly digits: boolean;
  /** Those that a body may begin with, as a class. */
  readonly characters: string;
}

function lettersFor(ranges: string): Omit<Kind, keyof Prefix> {
  const letters = lettersOf(ranges);
  return {
    set: byteSet(ranges),
    letters: letters.length,
    digits: letters.includes('7'),
    characters: classOf(ranges),
  };
}

/** What a body may begin with, as a class of a pattern: the padding and the dots of an alphabet come later. */
function classOf(ranges: string): string {
  const pairs = (ranges.match(/../g) ?? []).filter((pair) => !'.=%~'.includes(pair[0]!));
  const items = pairs.map((pair) => (pair[0] === pair[1] ? pair[0]! : `${pair[0]}-${pair[1]}`));
  // The dash stands last, where it means itself.
  return `[${items.sort((a, z) => Number(a === '-') - Number(z === '-')).join('')}]`;
}

/**
 * Twelve characters of a prefix and what follows it share one filter of the pass, whatever they are, as long as tokens are made
 * of them. A prefix is looked for up to its dot, which is rare enough. No token has padding or a dot right behind its prefix.
 */
function prefilterOf({ text, characters }: Kind): string {
  const prefix = text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');
  return `\\b${prefix}${text.length < PREFILTER ? `${characters}{${PREFILTER - text.length}}` : ''}`;
}

/** A text as a pattern that means just it. */
export function literally(text: string): string {
  return text.replace(/[.$+*?()[\]{}|\\^]/g, '\\$&');
}

function withPlainOnes(
  prefixes: readonly Prefix[],
  alphabet: string,
  sample: string | undefined,
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  const [first, ...others] = prefixes as readonly [Prefix, ...Prefix[]];
  const letters = first.alphabet ?? alphabet;
  const body = sample ?? syntheticSecret(first.length[0], letters);
  const value = first.text + body;
  const match: Example[] = [value, { text: `TOKEN=${value}\n`, value }, { text: `{"it":"${value}"}`, value }];
  const not = [
    first.text + body.slice(0, first.length[0] - 1),
    `a${value}`,
    first.text + 'x'.repeat(body.length),
    value + syntheticSecret(first.length[1], 'azAZ09'),
  ];
  // A shape may be that of the first prefix alone: then the file brings examples of the others.
  if (sample === undefined) {
    for (const { text, length, alphabet: its } of others)
      match.push(text + syntheticSecret(length[0], its ?? alphabet));
  }
  return { match: [...match, ...own.match], not: [...not, ...own.not] };
}
