import { textOf } from '../../bytes.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { isPublishedPassword } from '../../checks/published-password.ts';
import { acceptMatch, type Match, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';
import { PASSWORD_WORDS } from './password-words.ts';

const BEFORE = 48;
const AFTER = 200;
const MIN_LENGTH = 4;

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function anyOf(texts: readonly string[]): string {
  const escaped = texts.map((text) => latin1(text).replace(/[.'-]/g, '\\$&'));
  return [...new Set(escaped)].sort((a, b) => b.length - a.length).join('|');
}

const WORDS = PASSWORD_WORDS.flatMap(({ words }) => words);

const WORD = new RegExp(`^(?:${anyOf([...WORDS, 'pass', 'passe'])})`, 'i');
const WIDE_COLON = latin1('：');
const VALUE = `(?:"([^"\\n\\0]{1,128})"|'([^'\\n\\0]{1,128})'|([^\\s"'\`<>\\0]{1,128}))`;

/** `: value` and `= value`. */
const ASSIGNED = new RegExp(`^["'\`]?\\]? ?(?:[:=]|=>|${WIDE_COLON}) ?${VALUE}`);
/** ` is value`, by language. */
const SAID = PASSWORD_WORDS.filter(({ is }) => is.length > 0).map(({ words, is }) => ({
  word: new RegExp(`^(?:${anyOf(words)})$`, 'i'),
  said: new RegExp(`^(?: (?:${anyOf(is)}):? |${latin1('は')} ?)${VALUE}`, 'i'),
}));
/** `("value")`. */
const ARGUMENT = /^\(\s{0,2}(?:"([^"\n\0]{1,128})"|'([^'\n\0]{1,128})')\s{0,2}[),]/;
/** `", "value")`. */
const SECOND_ARGUMENT = /^["'],\s{0,8}(?:"([^"\n\0]{1,128})"|'([^'\n\0]{1,128})')\s{0,2}[),]/;
const CALL = /\b(?:define|put|set\w*|with\w*|add\w*|append)\s?\(\s{0,4}["'][\w.-]*$/i;
const SETTER = /(?:\b(?:set|with|use|db|user|admin)[A-Za-z_]*|\.)$/i;
/** ` value` after an option, and in statements. */
const NEXT = new RegExp(`^ (?:[057] )?${VALUE}`);
const OPTION = /(?:^|\s)--?(?:[a-z]+-)*[a-z]*$/i;
const STATEMENT = /(?:\b(?:with|login|identified by)\s+|[\n\0]\s*(?:#define\s+)?[\w.-]*)$/i;

/** Ends a sentence. */
const PUNCTUATION = /(?:&(?:quot|amp|lt|gt)\b;?|[.,;:!?)])+$/;
/** Words and abbreviations with digits that follow the word "password". */
const TECHNICAL =
  /^(?:base64|base32|sha-?\d+|md5|utf-?8|pbkdf2|bcrypt|scrypt|argon2\w*|oauth2?|v?\d+(?:\.\d+)*)$/i;
const SYMBOL = /[!#$%&*+=?@^~]/;
const LABEL = /^(?:[a-z ]*\b)?(?:password|passwd|passphrase|passcode|pwd)[:=?]?$/i;

/** A password after a word for it: in an assignment, a call, an option of a command, a statement or a sentence. */
export function passwordAfterWord(bytes: Buffer, at: number, match: Match): boolean {
  const text = textOf(bytes, at, at + AFTER);
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return rejectMatch(match, 'word');
  const rest = text.slice(word.length);
  const before = textOf(bytes, at - BEFORE, at);
  const found = valueAfter(before, word, rest);
  if (found === null) return rejectMatch(match, 'value');
  const start = at + word.length + found.offset;
  if (isPlaceholder(found.value)) return rejectMatch(match, 'placeholder');
  if (isPublishedPassword(found.value)) {
    match.confidence = 0.55;
    match.reasons |= REASON.testValue;
  }
  match.hasLabel(start);
  return acceptMatch(match, start, start + found.value.length, REASON.pattern | REASON.contextWord);
}

interface Found {
  readonly value: string;
  readonly offset: number;
}

function valueAfter(before: string, word: string, rest: string): Found | null {
  const first = rest[0];
  if (first === '(' && /^pass$/i.test(word) && !/\w$/.test(before)) return null;
  if (first === '(') return SETTER.test(before) || /^\n|\0|\s$/.test(before) ? quoted(ARGUMENT, rest) : null;
  if ((first === '"' || first === "'") && rest[1] === ',')
    return CALL.test(before) ? quoted(SECOND_ARGUMENT, rest) : null;
  const assigned = isEnglish(word) ? null : ASSIGNED.exec(rest);
  if (assigned !== null) return trimmed(assigned, /^["'`]?\]? ?=/.test(rest));
  const said = SAID.find((language) => language.word.test(word))?.said.exec(rest) ?? null;
  if (said !== null) return trimmed(said, true);
  const next = /^ (?![-])/.test(rest) ? NEXT.exec(rest) : null;
  if (next === null || /^pass$/i.test(word) !== /pass$/i.test(`${before}${word}`)) return null;
  if (OPTION.test(before)) return option(next);
  if (/^(?:pass|pwd)$/i.test(word)) return null;
  return next[3] === undefined && STATEMENT.test(before) ? valid(next, MIN_LENGTH) : afterWord(next);
}

/** `assigned` finds English names before a separator. */
function isEnglish(word: string): boolean {
  return /^(?:pass(?:word|wd|phrase|code|wort)?|pwd)$/i.test(word);
}

function quoted(form: RegExp, rest: string): Found | null {
  const found = form.exec(rest);
  return found === null || /\s/.test(found[1] ?? found[2]!) ? null : valid(found, MIN_LENGTH);
}

function valid(found: RegExpExecArray, min: number): Found | null {
  const value = found[1] ?? found[2] ?? found[3]!;
  if (value.length < min || /^\s|\s$|\s\S+\s/.test(value)) return null;
  return WORD.exec(value)?.[0] === value || LABEL.test(value)
    ? null
    : { value, offset: found[0].lastIndexOf(value) };
}

/** In quotes, or without quotes unless it is an ordinary word. */
function trimmed(found: RegExpExecArray, quotedWords: boolean): Found | null {
  const one = valid(found, MIN_LENGTH);
  if (one === null || (found[3] === undefined && quotedWords)) return one;
  const value = found[3] === undefined ? one.value : one.value.replace(PUNCTUATION, '');
  return isNoWord(value) || /^\d{4,12}$/.test(value) ? { ...one, value } : null;
}

function option(next: RegExpExecArray): Found | null {
  const one = valid(next, MIN_LENGTH);
  if (one === null || next[3] === undefined) return one;
  return /^[-\\|$/]/.test(one.value) || !isNoWord(one.value) ? null : one;
}

/** `username ann password 0 Gr33nTea`, "with password Gr33nTea": only what looks generated or chosen under rules. */
function afterWord(next: RegExpExecArray): Found | null {
  const one = trimmed(next, false);
  if (one === null || one.value.length < 8 || TECHNICAL.test(one.value)) return null;
  const { value } = one;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, SYMBOL].filter((kind) => kind.test(value)).length;
  return kinds >= 3 && /^[!-~]+$/.test(value) && !/[()[\]{}/:,;<>=]/.test(value) ? one : null;
}

/** Letters and digits, or a symbol inside. */
function isNoWord(value: string): boolean {
  if (value.length < MIN_LENGTH || /[()[\]{}]|::|->|\\n/.test(value)) return false;
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(value) || /^[\w$]+(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
  return (/\d/.test(value) && /[A-Za-z]/.test(value)) || SYMBOL.test(value.slice(0, -1));
}
