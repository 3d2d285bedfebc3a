import { isPair, pairSet } from '../byte-pairs.ts';
import { byteSet, isAlnum, runEnd, SPACE, textOf } from '../bytes.ts';
import { acceptMatch, type Detector, type PrefilterRule, rejectMatch } from '../detector.ts';
import { REASON } from '../reasons.ts';

interface DictionaryWord
  extends Pick<Detector, 'id' | 'title' | 'category' | 'regulations' | 'risk' | 'confidence' | 'examples'>,
    Partial<Pick<Detector, 'optional'>> {
  /** Lower case; a blank matches any of "_- ". */
  readonly values: readonly string[];
  /** Single letters that mean a value, in a table cell. */
  readonly letters?: readonly string[];
  /** Also inside sentences, which adds a candidate at every such word; else only after a name and in tables. */
  readonly anywhere?: boolean;
  /** The words that may directly precede the value in a sentence: an expression that matches their end. */
  readonly phrase: RegExp;
  readonly context: NonNullable<Detector['context']>;
}

/** A word of a list, reported if a label or a phrase relates it to a person: religion, nationality and the like. */
export function dictionaryWord(kind: DictionaryWord): Detector {
  const { values, letters = [], phrase, anywhere = false, ...rest } = kind;
  const longestFirst = [...values, ...letters].sort((a, b) => b.length - a.length);
  const value = new RegExp(`^(?:${longestFirst.map(inBytes).join('|')})(?![a-z0-9])`, 'i');
  const heads = headsOf(values, letters);
  return {
    ...rest,
    strength: 'context',
    prefilters: anywhere
      ? [...prefiltersOf(values), ...cellsOf(letters)]
      : prefiltersOfNames(kind.context.words),
    verify(bytes, from, match) {
      const at = valueFrom(bytes, from);
      if (isAlnum(bytes[at - 1]!) || !maySpeakOfPerson(bytes, at)) return rejectMatch(match, 'stands alone');
      if (!isPair(heads, bytes, at)) return rejectMatch(match, 'not in the list');
      const word = value.exec(textOf(bytes, at, at + 40))?.[0];
      if (word === undefined) return rejectMatch(match, 'not in the list');
      const end = at + word.length;
      const before = textOf(bytes, at - 40, at);
      // { label: 'tree', gender: 'm' }: in source code a letter after an unquoted key is a property of a word.
      if (word.length === 1 && CODE_KEY.test(before)) return rejectMatch(match, 'letter in source code');
      const said = phrase.test(before);
      if (!said && !(isCell(bytes, at, end) && match.hasLabel(at))) return rejectMatch(match, 'label');
      return acceptMatch(match, at, end, REASON.pattern | REASON.contextWord);
    },
    mask: () => '•••',
  };
}

const CODE_KEY = /[{,\s]\w+: ?["']$/;

/** The first two bytes of each value; for single letters only the first byte. */
function headsOf(values: readonly string[], letters: readonly string[]): Uint8Array {
  const heads = values.map((word) => word.slice(0, 2).replace(' ', '*'));
  return pairSet([...heads, ...letters.map((letter) => `${letter}*`)].join(' '));
}

/** The start of the value after a separator, past blanks and quotes. */
function valueFrom(bytes: Buffer, from: number): number {
  return isAlnum(bytes[from]!) ? from : runEnd(bytes, from + 1, 4, LEAD);
}

const LEAD = byteSet('  ""\'\'');

/** `gender: female`, and the cells of a column with such a name. */
function prefiltersOfNames(words: readonly string[]): PrefilterRule[] {
  const tails = words.map((word) => word.split(' ').at(-1)!).filter((tail) => /^[a-z]{3,}$/.test(tail));
  return [
    { assigned: [...new Set(tails)] },
    { pattern: String.raw`\b[A-Za-z]{3}`, labelled: 'column' },
    { pattern: String.raw`\b[A-Za-z][\s,;"'|<]`, labelled: 'column' },
  ];
}

/** In a sentence only after ": ", "= ", "is ", "am ", "a ", "an " and the like. A cheap test that rejects most words. */
function maySpeakOfPerson(bytes: Buffer, at: number): boolean {
  if (bytes[at - 1] !== SPACE) return true;
  const before = bytes[at - 2]!;
  return !isAlnum(before) || SAID[before] === 1;
}

const SAID = byteSet('ssmmaannyygghhrr');

function inBytes(word: string): string {
  return Buffer.from(word.replaceAll(' ', '[ _-]')).toString('latin1');
}

/** The beginnings of the values in lower case, capitalised and upper case: far rarer than words near a label. */
function prefiltersOf(values: readonly string[]): PrefilterRule[] {
  const heads = [...new Set(values.map((word) => word.replace(/[^a-zäöüß].*$/, '').slice(0, 5)))];
  const written = heads.flatMap((head) => [head, head[0]!.toUpperCase() + head.slice(1), head.toUpperCase()]);
  const groups = Array.from({ length: Math.ceil(written.length / GROUP) }, (_, n) =>
    written.slice(n * GROUP, (n + 1) * GROUP),
  );
  return groups.map((group) => ({ pattern: `\\b(?:${group.join('|')})` }));
}

function cellsOf(letters: readonly string[]): PrefilterRule[] {
  const both = letters.flatMap((letter) => [letter, letter.toUpperCase()]).join('');
  return both === '' ? [] : [{ pattern: `[,;|\\t"][${both}][,;|\\t"\\n]` }];
}

/** Maximum number of alternatives in one pattern; a pattern expands into at most this many prefixes. */
const GROUP = 12;

/** Whether the value fills a cell or a quoted string. */
function isCell(bytes: Buffer, start: number, end: number): boolean {
  return BORDERS[bytes[start - 1]!] === 1 && BORDERS[bytes[end]!] === 1;
}

const BORDERS = byteSet('\x00\x00\t\n\r\r""\'\',,;;||<<>>');
