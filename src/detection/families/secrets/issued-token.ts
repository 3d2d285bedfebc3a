import { byteSet, isAlnum, runEnd, textOf } from '../../bytes.ts';
import { entropy, looksRandom } from '../../checks/entropy.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Example, type Match, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';
import { lettersOf, syntheticSecret } from './synthetic-secret.ts';
import { textsAt } from './texts-at.ts';

/** A number of characters, or the least and the most. */
type Length = number | readonly [number, number];

/** The issuer's prefix, and what of the characters after it differs from those of the other prefixes. */
interface PrefixRow {
  readonly text: string;
  readonly length?: Length;
  readonly alphabet?: string;
}

interface IssuedToken
  extends Pick<Detector, 'id' | 'title'>,
    Partial<Pick<Detector, 'risk' | 'confidence' | 'context' | 'examples'>> {
  readonly prefixes: readonly (string | PrefixRow)[];
  /** How many characters follow a prefix. */
  readonly length: Length;
  readonly alphabet: string;
  /** The form of the part after the prefix, if it is more specific than its alphabet. */
  readonly shape?: RegExp;
  /** Base64 may end in "=" or "==", which is not part of the alphabet. */
  readonly padded?: boolean;
  /** Returns null if this token has no checksum. A wrong checksum only lowers the confidence: formats change and values get truncated. */
  readonly checksum?: (body: string, prefix: string) => boolean | null;
  /** An example of the part after the first prefix, if it is not just random characters of the alphabet. */
  readonly sample?: string;
}

/** For short prefixes: random characters of this length contain small and capital letters and two digits; identifiers hardly do. */
export const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d.*\d)/;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const DOUBTED = 0.6;
const PREFILTER = 12;
const LONG = 100;
const EQUAL_SIGN = 0x3d;
const EQUALS = byteSet('==');
/** Words and identifiers: a random text of this length contains upper case or digits as well. */
const WORDS = /^(?:[a-z._-]+|[A-Z._-]+)$/;

/**
 * A secret with a recognisable prefix, followed by random characters of a known alphabet and length. Examples of the plain cases are
 * generated here; a file adds only what is specific to it.
 */
export function issuedToken(token: IssuedToken): Detector {
  const {
    prefixes: rows,
    length,
    alphabet,
    shape,
    padded = false,
    checksum,
    sample,
    examples,
    ...rest
  } = token;
  const prefixes = rows.map((row) => prefixOf(row, length, alphabet));
  const kinds = prefixes.map((prefix) => ({
    ...prefix,
    ...lettersFor(prefix.alphabet),
    exact: isExact(prefix),
  }));
  const prefixAt = textsAt(prefixes.map(({ text }) => text));
  const shown = prefixes.map(({ text }) => shortened(text));

  function accept(bytes: Buffer, at: number, kind: Kind, match: Match): boolean {
    // A position inside a run of the token's own characters cannot start one. Without this test a long run would cost quadratic time.
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
    // Documentation contains ghp_xxxxxxxx, and identifiers in code may begin with the prefix.
    if (isFiller(text) || (kind.digits && WORDS.test(text))) return rejectMatch(match, 'placeholder');
    if (!kind.exact && !looksRandom(match.entropy, text.length, kind.letters))
      return rejectMatch(match, 'entropy');
    const proof = checksum?.(text, kind.text) ?? null;
    if (proof === false) match.confidence = DOUBTED;
    return acceptMatch(match, at, end, REASON.issuer | (proof ? REASON.checksum : 0));
  }

  return {
    risk: 9,
    confidence: 0.95,
    ...rest,
    category: 'credential',
    strength: 'prefix',
    regulations: ['soc2'],
    prefilters: [...new Set(kinds.map(prefilterOf))].map((pattern) => ({ pattern })),
    verify(bytes, at, match) {
      if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
      for (let n = prefixAt(bytes, at); n >= 0; n = prefixAt(bytes, at, n + 1))
        if (accept(bytes, at, kinds[n]!, match)) return true;
      return match.rejectReason === '' ? rejectMatch(match, 'prefix') : false;
    },
    mask: (value) => maskSecret(value, shown),
    examples: withPlainOnes(prefixes, sample, examples),
  };
}

export function hasText(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The part of a public prefix that a mask may show: up to eight letters and digits, cut at a separator. */
export function shortened(prefix: string): string {
  let shown = prefix;
  while (shown.replace(/[^A-Za-z0-9]/g, '').length > 8)
    shown = shown.slice(0, -1).replace(/[A-Za-z0-9]+$/, '');
  return shown;
}

interface Prefix {
  readonly text: string;
  readonly length: readonly [number, number];
  readonly alphabet: string;
}

function prefixOf(row: string | PrefixRow, length: Length, alphabet: string): Prefix {
  const whole = { length, alphabet, ...(typeof row === 'string' ? { text: row } : row) };
  return { ...whole, length: typeof whole.length === 'number' ? [whole.length, whole.length] : whole.length };
}

/** A prefix and an exact length identify the issuer, so that the entropy proves nothing more. */
function isExact({ text, length: [min, max] }: Prefix): boolean {
  return text.length >= 4 && min === max && min >= 16;
}

interface Kind extends Prefix {
  readonly set: Uint8Array;
  readonly letters: number;
  readonly digits: boolean;
  readonly exact: boolean;
  /** The characters that a body may begin with, as a class. */
  readonly characters: string;
}

function lettersFor(ranges: string): Omit<Kind, keyof Prefix | 'exact'> {
  const letters = lettersOf(ranges);
  return {
    set: byteSet(ranges),
    letters: letters.length,
    digits: letters.includes('7'),
    characters: classOf(ranges),
  };
}

/** The characters that a body may begin with, as a pattern class: padding and dots of an alphabet occur only later. */
function classOf(ranges: string): string {
  const pairs = (ranges.match(/../g) ?? []).filter((pair) => !'.=%~'.includes(pair[0]!));
  const items = pairs.map((pair) => (pair[0] === pair[1] ? pair[0]! : `${pair[0]}-${pair[1]}`));
  // The dash goes last, where it is literal.
  return `[${items.sort((a, z) => Number(a === '-') - Number(z === '-')).join('')}]`;
}

/**
 * Uses a prefix plus token characters, twelve in all, so that all such prefilters share one start filter. A prefix with a dot is used up
 * to the dot, which is rare enough. No token has padding or a dot directly after its prefix.
 */
function prefilterOf({ text, characters }: Kind): string {
  const prefix = text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');
  return `\\b${prefix}${text.length < PREFILTER ? `${characters}{${PREFILTER - text.length}}` : ''}`;
}

/** Escapes a text so that the pattern matches it literally. */
export function literally(text: string): string {
  return text.replace(/[.$+*?()[\]{}|\\^]/g, '\\$&');
}

function withPlainOnes(
  prefixes: readonly Prefix[],
  sample: string | undefined,
  own: Detector['examples'] = { match: [], not: [] },
): Detector['examples'] {
  const [first, ...others] = prefixes as readonly [Prefix, ...Prefix[]];
  const body = sample ?? syntheticSecret(first.length[0], first.alphabet);
  const value = first.text + body;
  const match: Example[] = [value, { text: `TOKEN=${value}\n`, value }, { text: `{"it":"${value}"}`, value }];
  const not = [
    first.text + body.slice(0, first.length[0] - 1),
    `a${value}`,
    first.text + 'x'.repeat(body.length),
    value + syntheticSecret(first.length[1], 'azAZ09'),
  ];
  // A shape may fit the first prefix only; then the file provides examples for the others.
  if (sample === undefined) {
    for (const { text, length, alphabet } of others) match.push(text + syntheticSecret(length[0], alphabet));
  }
  return { match: [...match, ...own.match], not: [...not, ...own.not] };
}
