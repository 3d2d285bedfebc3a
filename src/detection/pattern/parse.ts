/**
 * Parser for the patterns of detectors and rule sets: the subset of regular expressions that can be matched in linear time. Bytes,
 * classes, groups, alternatives, counted repetition, `\b` (no letter or digit on both sides), `(?i)` at the start. Back-references and
 * look-around are rejected, with position and reason.
 */
import { PatternError } from './pattern-error.ts';

export type Node =
  | { readonly kind: 'byte'; readonly set: ByteSet }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'border' };

/** 256 entries, 1 for each byte in the set. */
export type ByteSet = Uint8Array;

export interface Pattern {
  readonly source: string;
  readonly root: Node;
}

const MAX_REPEATS = 1000;
const MAX_BYTES = 5000;

export function parsePattern(source: string): Pattern {
  const anyCase = source.startsWith('(?i)');
  const parser = new Parser(source, anyCase ? 4 : 0, anyCase);
  const root = parser.choice();
  if (!parser.ended) parser.fail('an unmatched ")"', 'remove it or write \\)');
  if (longest(root) > MAX_BYTES) parser.fail(`more than ${MAX_BYTES} bytes`, 'lower the counts in {…}');
  return { source, root };
}

/** The size of the pattern with every counted repetition expanded; an unbounded one counts once. */
function longest(node: Node): number {
  if (node.kind === 'byte') return 1;
  if (node.kind === 'border') return 0;
  if (node.kind === 'sequence') return node.items.reduce((sum, item) => sum + longest(item), 0);
  if (node.kind === 'choice') return node.options.reduce((sum, option) => sum + longest(option), 0);
  return longest(node.item) * Math.max(1, node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max);
}

class Parser {
  readonly #source: string;
  readonly #anyCase: boolean;
  #at: number;

  constructor(source: string, at: number, anyCase: boolean) {
    this.#source = source;
    this.#at = at;
    this.#anyCase = anyCase;
  }

  get ended(): boolean {
    return this.#at >= this.#source.length;
  }

  fail(what: string, hint: string): never {
    throw new PatternError(this.#source, this.#at, what, hint);
  }

  choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (!this.ended && !this.#next('|') && !this.#next(')')) items.push(this.#repeated());
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  #repeated(): Node {
    const item = this.#item();
    const counts = this.#counts();
    if (counts === null) return item;
    if (item.kind === 'border') this.fail('a repeated \\b', 'a border has no length');
    if (this.#next('?'))
      this.fail('a lazy repetition', 'the longest match is what is taken: leave out the "?"');
    if (this.#next('+')) this.fail('a possessive repetition', 'leave out the second "+"');
    return { kind: 'repeat', item, min: counts[0], max: counts[1] };
  }

  #counts(): readonly [number, number] | null {
    if (this.#take('?')) return [0, 1];
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at));
    if (counted === null) return null;
    const min = Number(counted[1]);
    const max =
      counted[2] === undefined ? min : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (max < min) this.fail(`${counted[0]} with the larger count first`, 'swap the two');
    if (min > MAX_REPEATS || (max > MAX_REPEATS && max !== Number.POSITIVE_INFINITY))
      this.fail(`a count above ${MAX_REPEATS}`, 'lower it');
    this.#at += counted[0].length;
    return [min, max];
  }

  #item(): Node {
    const c = this.#source[this.#at]!;
    if (c === '(') return this.#group();
    if (c === '[') return this.#class();
    if (c === '\\') return this.#escape();
    if ('*+?{'.includes(c))
      this.fail(`"${c}" with nothing before it to repeat`, `write \\${c} for the character`);
    if (c === '^' || c === '$')
      this.fail(
        `"${c}"`,
        'a value may stand anywhere in a line; for the character write a backslash before it',
      );
    if (c === '.') {
      this.#at++;
      return { kind: 'byte', set: ANY_BYTE };
    }
    return this.#literal();
  }

  #literal(): Node {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at)!);
    this.#at += character.length;
    const items = [...Buffer.from(character)].map((byte) => this.#byte(byte));
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  #byte(byte: number): Node {
    const both = this.#anyCase && isLetter(byte);
    return { kind: 'byte', set: both ? inAnyCase(byte) : single(byte) };
  }

  #group(): Node {
    const inside = this.#source.slice(this.#at + 1, this.#at + 4);
    if (/^\?<?[=!]/.test(inside))
      this.fail('look-around', 'use context words, or checks by name, to say what stands beside the value');
    if (inside.startsWith('?') && !inside.startsWith('?:'))
      this.fail(`"(${inside}"`, 'only (?:…) and a leading (?i) are understood');
    this.#at += inside.startsWith('?:') ? 3 : 1;
    const node = this.choice();
    if (!this.#take(')')) this.fail('a "(" that is never closed', 'add the ")"');
    return node;
  }

  #escape(): Node {
    const c = this.#source[this.#at + 1];
    if (c === undefined) this.fail('a backslash at the end', 'write \\\\ for the character');
    if (/[1-9]/.test(c) || c === 'k')
      this.fail('a back reference', 'it cannot be matched in linear time: write the two parts out');
    this.#at += 2;
    if (c === 'b') return { kind: 'border' };
    const named = CLASSES[c];
    if (named) return { kind: 'byte', set: named };
    const control = CONTROLS[c];
    if (control !== undefined) return { kind: 'byte', set: single(control) };
    if (/[A-Za-z0]/.test(c)) {
      this.#at -= 2;
      this.fail(`"\\${c}"`, 'known are \\d \\w \\s \\b \\t \\n \\r and escaped punctuation');
    }
    return this.#byte(c.charCodeAt(0));
  }

  #class(): Node {
    const start = this.#at++;
    const inverted = this.#take('^');
    const set = new Uint8Array(256);
    while (!this.ended && (!this.#next(']') || this.#at === start + 1)) this.#classItem(set);
    if (!this.#take(']')) this.fail('a "[" that is never closed', 'add the "]"');
    if (this.#anyCase) for (let b = 65; b <= 90; b++) set[b] = set[b + 32] = set[b]! | set[b + 32]!;
    // A negated class does not match a line end, or the zeros beyond the end of the text.
    return { kind: 'byte', set: inverted ? setOf((b) => set[b] === 0 && b !== 0 && b !== 0x0a) : set };
  }

  #classItem(set: ByteSet): void {
    const first = this.#classByte(set);
    if (first === null) return;
    if (!this.#next('-') || this.#source[this.#at + 1] === ']') {
      set[first] = 1;
      return;
    }
    this.#at++;
    const last = this.#classByte(set);
    if (last === null || last < first) this.fail('a range that runs backwards', 'swap its ends');
    for (let b = first; b <= last; b++) set[b] = 1;
  }

  /** Parses one byte of a class; null if it was a nested class such as \d, which has been added to the set. */
  #classByte(set: ByteSet): number | null {
    const c = this.#source[this.#at]!;
    if (c.charCodeAt(0) > 127)
      this.fail(`"${c}" in a class`, 'characters beyond ASCII are several bytes: write (?:ä|ö|ü)');
    this.#at++;
    if (c !== '\\') return c.charCodeAt(0);
    const escaped = this.#source[this.#at++] ?? '';
    const named = CLASSES[escaped];
    if (named === undefined) return CONTROLS[escaped] ?? escaped.charCodeAt(0);
    for (let b = 0; b < 256; b++) set[b]! |= named[b]!;
    return null;
  }

  #next(c: string): boolean {
    return this.#source[this.#at] === c;
  }

  #take(c: string): boolean {
    if (!this.#next(c)) return false;
    this.#at++;
    return true;
  }
}

/** Sets of one byte are cached, because patterns contain many. */
const SINGLES: (ByteSet | undefined)[] = [];
const IN_ANY_CASE: (ByteSet | undefined)[] = [];

function single(byte: number): ByteSet {
  SINGLES[byte] ??= setOf((b) => b === byte);
  return SINGLES[byte];
}

function inAnyCase(byte: number): ByteSet {
  const small = byte | 32;
  IN_ANY_CASE[small] ??= setOf((b) => (b | 32) === small && isLetter(b));
  return IN_ANY_CASE[small];
}

function setOf(test: (byte: number) => boolean): ByteSet {
  return Uint8Array.from({ length: 256 }, (_, byte) => (test(byte) ? 1 : 0));
}

function isLetter(byte: number): boolean {
  return (byte | 32) >= 97 && (byte | 32) <= 122;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

const ANY_BYTE: ByteSet = setOf((byte) => byte !== 0x0a && byte !== 0);
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13 };
const CLASSES: Readonly<Record<string, ByteSet>> = {
  d: setOf(isDigit),
  w: setOf((byte) => isLetter(byte) || isDigit(byte) || byte === 0x5f),
  s: setOf((byte) => byte === 0x20 || (byte >= 9 && byte <= 13)),
  D: setOf((byte) => !isDigit(byte) && byte !== 0 && byte !== 0x0a),
  S: setOf((byte) => byte > 0x20),
};
