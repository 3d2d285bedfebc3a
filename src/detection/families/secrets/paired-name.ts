import { byteSet, runStart, textOf } from '../../bytes.ts';
import { isQuote } from './assignment.ts';

const BACK = 200;
const SKIPPED = byteSet('  \t\t\n\n\r\r,,--');
const SECRET = /(?:pass\w{0,6}|pwd|key|token|secret|salt)["']?$/i;
const OBJECT = byteSet('{{""\'\'azAZ09]]  \t\t\n\n\r\r==,,..__--');
const EQUALS = 0x3d;
const BRACE = 0x7b;

/** `<add key="…" value=`, `name: …⏎value:` and `"name": "…", "value":`, up to the word "value". */
const PAIR =
  /(?:\b(?:key|name|id)\s{0,2}[=:]\s{0,2}|"(?:key|name|Name|Key)"\s{0,2}:\s{0,2})["']?([\w.:-]{2,64})["']?,?\s{1,40}["']?$/i;
/** `"name": { "value":` of Terraform's state. */
const OUTPUT = /"([\w.-]{2,64})"\s{0,4}:\s{0,4}\{[^{}]{0,100}$/;
/** `variable "name" { default =`. */
const VARIABLE = /\bvariable\s{1,4}"([\w-]{2,64})"\s{0,4}\{[^{}]{0,120}$/;

/**
 * The name of a value that stands apart from it: in another attribute, on the line before, or as the name of the block. `wordStart`: where
 * the word "value" or "default" begins. Null if there is none.
 */
export function pairedName(bytes: Buffer, separator: number, wordStart: number): string | null {
  const word = bytes[wordStart]! | 32;
  if (word === 0x64) return nameIn(VARIABLE, bytes, wordStart); // default
  const opening = isQuote(bytes[wordStart - 1]!) ? wordStart - 1 : wordStart;
  const before = runStart(bytes, opening, 48, SKIPPED);
  if (SECRET.test(textOf(bytes, before - 12, before))) return nameIn(PAIR, bytes, wordStart);
  if (bytes[separator] === EQUALS || opening === wordStart) return null;
  return hasBrace(bytes, opening) ? nameIn(OUTPUT, bytes, wordStart) : null;
}

function nameIn(form: RegExp, bytes: Buffer, wordStart: number): string | null {
  return form.exec(textOf(bytes, wordStart - BACK, wordStart))?.[1] ?? null;
}

function hasBrace(bytes: Buffer, from: number): boolean {
  const start = runStart(bytes, from, 100, OBJECT);
  for (let i = from - 1; i >= start; i--) if (bytes[i] === BRACE) return true;
  return false;
}
