import { NEWLINE, SPACE, textOf } from '../../bytes.ts';
import type { Assignment } from './assignment.ts';

const EQUALS = 0x3d;
const COLON = 0x3a;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

const SYNTAX = /[()[\]{}]|=>|&&|\|\||->|::|\?\?|[^:]\/\*/;
const MEMBERS = /^[a-z_$]\w*(?:\.[a-z_$]\w*)+$/i;
/** `$name`, `&name`, `:meth:`, `$!`: a variable, a pointer, a role of a markup language. */
const REFERENCE = /^(?:[$&*%]+[A-Za-z_][\w-]*|:[\w:-]*|\$\W.{0,2})$/;
const NUMBER = /^(?:0x[\da-f]+|\d+)[ul]*$/i;
/** `user=`, `meth:`, `P.isWritable=P.isReadable` of a minified program, `&lt;`. */
const LABEL = /^[A-Za-z_]\w*:$|^[A-Za-z]+\.$|^[a-z_]+=$|^[a-z_$]\w*\.[a-z_$]\w*=|^&/i;
/** `--password=PASSWORD’` of a manual. */
const METAVARIABLE = /^[A-Z]+\xe2\x80\x99\.?$/;
const SIZE = /^\d+-(?:byte|bit|char)/i;
const CHOICES = /^[a-z_]+(?:[:/|][a-z_]+)+$/i;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const LETTERS = /^[A-Za-z_]+$/;
/** The name of a variable that has the secret. */
const NAMES_SECRET = /pass|pwd|secret|cred|passphrase|token|key/i;
const TYPE = /^[A-Z]\w*[a-z]\w*[A-Z]|^[A-Z][a-z]+$|^(?:bytes|buffer|option|maybe|async|function)$/;
/** `Otter_Compass34`: capitalised words with a number at the end; variables are not written like this. */
const CHOSEN = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)+\d{2,}$/;
const HUMPS = /^_*[A-Za-z][a-z0-9]*[A-Z]\w*$/;

/**
 * Whether a value without quotes is a part of a program or of a sentence instead of a secret: an identifier, a type, a call, a reference,
 * a number, the first word of a sentence.
 */
export function isCodeOrProse(
  bytes: Buffer,
  separator: number,
  assigned: Assignment,
  weak: boolean,
): boolean {
  const value = textOf(bytes, assigned.start, assigned.end);
  if (SYNTAX.test(value) || MEMBERS.test(value) || REFERENCE.test(value)) return true;
  if (METAVARIABLE.test(value) || LABEL.test(value) || SIZE.test(value) || CHOICES.test(value)) return true;
  const after = bytes[assigned.end]!;
  // Resolver->find(), Vec<u8>; but text of an element ends before "</".
  if (after === 0x3e || (after === 0x3c && bytes[assigned.end + 1] !== 0x2f)) return true;
  const tight =
    bytes[separator] === EQUALS && bytes[separator + 1] !== SPACE && bytes[separator - 1] !== SPACE;
  const next = nextAfter(bytes, assigned.end);
  const statement = next === SEMICOLON || next === COMMA;
  if (NUMBER.test(value)) return /^0x/i.test(value) || statement || (bytes[separator] === EQUALS && !tight);
  if (IDENTIFIER.test(value)) return isIdentifier(bytes, separator, assigned, { value, tight, next, weak });
  return !endsLine(next) && !tight && isSentence(value, next, assigned.end, bytes, weak);
}

interface Identifier {
  readonly value: string;
  readonly tight: boolean;
  /** The first byte after the value that is no blank. */
  readonly next: number;
  readonly weak: boolean;
}

function isIdentifier(
  bytes: Buffer,
  separator: number,
  assigned: Assignment,
  { value, tight, next, weak }: Identifier,
): boolean {
  const statement = next === SEMICOLON || next === COMMA;
  if (CHOSEN.test(value) && !statement) return false;
  if (NAMES_SECRET.test(value) && !(tight && /\D\d{2,}$/.test(value) && !value.includes('_'))) return true;
  if (LETTERS.test(value)) return !isPlainSecret(bytes, separator, assigned, { value, tight, next, weak });
  if (tight) return next === COMMA && value.includes('_');
  if (value.includes('_') || (statement && bytes[separator] === EQUALS)) return true;
  if (/^[A-Za-z]+\d$/.test(value) && (HUMPS.test(value) || next === COMMA)) return true;
  if (
    bytes[separator] === COLON &&
    /^[A-Z][a-z]+\w*[A-Z]\w*$/.test(value) &&
    /^[A-Z]\D*\d?\D*[a-z]{4,}\d?$/.test(value)
  )
    return true;
  return !endsLine(next) && isSentence(value, next, assigned.end, bytes, weak);
}

/**
 * A word without digits is a secret only where programs do not write one: `NAME=value` and `name: value` that fill a line.
 */
function isPlainSecret(
  bytes: Buffer,
  separator: number,
  assigned: Assignment,
  { value, tight, next, weak }: Identifier,
): boolean {
  if (/^[A-Z_]+$/.test(value) || TYPE.test(value) || value.includes('_') || HUMPS.test(value)) return false;
  const filled = endsLine(next) && beginsLine(bytes, assigned.nameStart);
  if (tight) return next === SEMICOLON || endsLine(next) || (filled && !weak);
  return (
    bytes[separator] === COLON &&
    filled &&
    !(weak && LETTERS.test(value) && assigned.name.length < 5 && value.length < 6)
  );
}

/** "name: value more" is prose, unless the value is no ordinary word. */
function isSentence(value: string, next: number, end: number, bytes: Buffer, weak: boolean): boolean {
  if (next === bytes[end]) return LETTERS.test(value);
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  return weak ? !(mixed && /[a-z]/.test(value) && /[A-Z]/.test(value)) : value.length < 6 || !mixed;
}

function nextAfter(bytes: Buffer, end: number): number {
  let next = end;
  while (bytes[next] === SPACE && next < end + 8) next++;
  return bytes[next]!;
}

function endsLine(byte: number): boolean {
  return byte === NEWLINE || byte === 0x0d || byte === 0;
}

const MAX_INDENT = 40;

/** After blanks, a dash of a list, a word such as "export" or a quote. */
function beginsLine(bytes: Buffer, nameStart: number): boolean {
  return /(?:^|[\n\0])[ \t]*(?:(?:- |export |set |ENV |ARG |-e )[ \t]*)?["'`]?$/.test(
    textOf(bytes, nameStart - MAX_INDENT, nameStart),
  );
}
