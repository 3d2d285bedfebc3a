/** The columns of a table by the statement that made it, in the order in which its records have them. */
import { wholeName } from '../../../whole-name.ts';
import { type Token, tokensOf } from './sql-tokens.ts';

const MAX_STATEMENT_LENGTH = 1024 * 1024;
const TABLE_CONSTRAINTS: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'CHECK',
  'FOREIGN',
]);
/** A column's type ends where one of these begins. */
const COLUMN_CONSTRAINTS: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'NOT',
  'NULL',
  'UNIQUE',
  'CHECK',
  'DEFAULT',
  'COLLATE',
  'REFERENCES',
  'GENERATED',
  'AS',
]);

interface TableColumns {
  readonly names: readonly string[];
  /** The one that is the number of the row; -1: none. */
  readonly rowidAt: number;
  /** What each of them is in rows that are too short to have it; without those at the end that are nothing. */
  readonly defaults: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly key: boolean;
  readonly backwards: boolean;
  /** A virtual generated column, which is not stored. */
  readonly virtual: boolean;
  readonly value: string;
}

/** `index`: a WITHOUT ROWID table, which is stored like an index with its key first. Returns null if the statement can't be parsed. */
export function tableColumns(sql: string, index: boolean): TableColumns | null {
  if (sql.length > MAX_STATEMENT_LENGTH) return null;
  const definitions = definitionsIn(tokensOf(sql));
  const own = definitions.filter((tokens) => !isConstraint(tokens));
  const columns = own.map(columnOf).filter(({ virtual }) => !virtual);
  if (columns.length === 0) return null;
  const key = keyOf(columns, definitions.filter(isConstraint));
  if (!index)
    return {
      names: columns.map(({ name }) => wholeName(name)),
      rowidAt: rowidAt(columns, key),
      defaults: defaultsOf(columns, 0),
    };
  const others = columns.filter(({ name }) => !key.has(name.toLowerCase()));
  const names = [...key.values(), ...others.map(({ name }) => name)];
  return { names: names.map(wholeName), rowidAt: -1, defaults: defaultsOf(others, key.size) };
}

/** `before`: columns that every row has. */
function defaultsOf(columns: readonly Column[], before: number): readonly string[] {
  const end = columns.findLastIndex(({ value }) => value !== '') + 1;
  if (end === 0) return [];
  return [...Array<string>(before).fill(''), ...columns.slice(0, end).map(({ value }) => value)];
}

/** The comma-separated parts of the first parentheses. */
function definitionsIn(tokens: readonly Token[]): Token[][] {
  const definitions: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    const sign = token.quoted ? '' : token.text;
    if (sign === ')' && --depth === 0) break;
    if (depth === 1 && (sign === ',' || definitions.length === 0)) definitions.push([]);
    if (depth > 0 && !(depth === 1 && sign === ',')) definitions.at(-1)?.push(token);
    if (sign === '(') depth++;
  }
  return definitions.filter((definition) => definition.length > 0);
}

function isConstraint([first]: readonly Token[]): boolean {
  return first !== undefined && TABLE_CONSTRAINTS.has(keyword(first));
}

function columnOf(tokens: readonly Token[]): Column {
  const words = tokens.map(keyword);
  const end = words.findIndex((word, i) => i > 0 && COLUMN_CONSTRAINTS.has(word));
  const type = tokens.slice(1, end === -1 ? tokens.length : end);
  const primary = words.indexOf('PRIMARY', 1);
  const generated = words.some((word, i) => i > 0 && word === 'AS' && words[i + 1] === '(');
  return {
    name: tokens[0]!.text,
    type: type.map(({ text }) => text.toUpperCase()).join(' '),
    key: primary > 0,
    backwards: primary > 0 && words[primary + 2] === 'DESC',
    virtual: generated && !words.includes('STORED'),
    value: generated ? '' : columnDefault(tokens),
  };
}

/** The names of the primary key in their order, by their lower-case form: SQL doesn't care about others. */
function keyOf(columns: readonly Column[], constraints: readonly Token[][]): ReadonlyMap<string, string> {
  for (const tokens of constraints) {
    const at = tokens.findIndex((token) => keyword(token) === 'PRIMARY');
    if (at === -1) continue;
    const known = new Map(columns.map(({ name }) => [name.toLowerCase(), name]));
    const key = definitionsIn(tokens.slice(at)).map(([first]) => first!.text.toLowerCase());
    return new Map(key.map((name) => [name, known.get(name) ?? name]));
  }
  return new Map(columns.filter(({ key }) => key).map(({ name }) => [name.toLowerCase(), name]));
}

function rowidAt(columns: readonly Column[], key: ReadonlyMap<string, string>): number {
  if (key.size !== 1) return -1;
  const at = columns.findIndex(({ name }) => key.has(name.toLowerCase()));
  const column = columns[at];
  return column?.type === 'INTEGER' && !column.backwards ? at : -1;
}

function keyword({ text, quoted }: Token): string {
  return quoted ? '' : text.toUpperCase();
}

/** What a column holds in rows that were written before it was added. */

const NUMBER_PART = /^[-+]$|^\d+$/;

/** The text or integer after DEFAULT; '' if there is none, or if it is an expression. */
function columnDefault(tokens: readonly Token[]): string {
  const at = tokens.findIndex(
    (token, i) => i > 0 && isWord(token, 'DEFAULT') && !isWord(tokens[i - 1]!, 'SET'),
  );
  const rest = at === -1 ? [] : tokens.slice(at + 1).filter(({ text, quoted }) => quoted || text !== '(');
  const first = rest[0];
  if (first === undefined) return '';
  if (first.quoted) return first.text;
  if (/^(true|false)$/i.test(first.text)) return /^true$/i.test(first.text) ? '1' : '0';
  return wholeNumber(rest);
}

/** `ON DELETE SET DEFAULT` is followed by no value. */
function isWord({ text, quoted }: Token, word: string): boolean {
  return !quoted && text.toUpperCase() === word;
}

function wholeNumber(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ text, quoted }) => quoted || !NUMBER_PART.test(text));
  const text = tokens
    .slice(0, end === -1 ? tokens.length : end)
    .map((token) => token.text)
    .join('');
  // What has a point or a power is no number that would be written for a row either.
  return /^[-+]?\d+$/.test(text) && tokens[end]?.text !== '.' ? text.replace('+', '') : '';
}
