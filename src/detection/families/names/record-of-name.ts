import { byteSet, textOf } from '../../bytes.ts';

/** What a record is about whose field `name` is quoted, by its other fields. */
export type RecordSubject = 'person' | 'thing' | 'unknown';

const QUOTES = byteSet('""\'\'');
/** The key `name`, also as the last part of a longer one: `reference_name="`, `"name": "`. */
const NAME_KEY = /\b(?:[a-z]+_)?name["']?\s{0,2}[:=]\s{0,2}["'](?:[^"'\n{}<>]{0,40}, )?$/;
const THING =
  /\b(?:alpha_?[23]\w*|alpha_4_code|numeric(?:_code)?|iso_?\d+\w*|scope|symbol|currency|locale|charset|mime|extensions?|version|subset|parent)["']?\s?[:=]/i;
const CODED =
  /\b(?:code|type|id|kind|category|lang(?:uage)?|region|class|package|url|homepage|documentation)["']?\s?[:=]/i;
const PERSON =
  /\b(?:e?_?mail|phone|mobile|tel|birth\w*|dob|address|street|gender|sex|first\w*|last\w*|surname|ssn|salary|age|user\w*|patient\w*|customer\w*|employee\w*|member\w*|account\w*|iban|card\w*|title|role|manager|department|company|author\w*|contact\w*|contributor\w*)["']?\s?[:=]/i;
const BEFORE = 200;
const AFTER = 160;

/** Null: no quoted value of such a key. Things have names as often as people, so the key alone says nothing. */
export function subjectOfRecord(bytes: Buffer, start: number, end: number): RecordSubject | null {
  if (!endsQuoted(bytes, start)) return null;
  const before = textOf(bytes, start - BEFORE, start);
  if (!NAME_KEY.test(before)) return null;
  const opened = Math.max(before.lastIndexOf('{'), before.lastIndexOf('<'));
  const rest = textOf(bytes, end, end + AFTER);
  const closed = rest.search(/[}>]/);
  const fields = before.slice(opened + 1) + (closed === -1 ? rest : rest.slice(0, closed));
  if (PERSON.test(fields)) return 'person';
  return THING.test(fields) || CODED.test(fields) ? 'thing' : 'unknown';
}

/** A quote directly before the value, or before the words and the comma that precede it: "Mixtec, Santa Lucía". */
function endsQuoted(bytes: Buffer, start: number): boolean {
  if (QUOTES[bytes[start - 1]!] === 1) return true;
  return bytes[start - 1] === 0x20 && bytes[start - 2] === 0x2c;
}
