/**
 * User statements in a transaction of Seine must not begin or end it: Seine's later writes would be in another transaction. Such statements are
 * rejected by their text; a transaction-local setting, checked at the end, detects what the text check missed.
 */
import { randomUUID } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';

/** Except `rollback to` a savepoint. */
const CONTROL =
  /^\s*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(work\s+|transaction\s+)?to\b))\b/i;
/** Tokens that may contain a semicolon or keyword as text: comments, strings, quoted names. Nested comments are handled separately. */
const OPAQUE =
  /--[^\n]*|\/\*|\be'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'?|'[^']*'?|"[^"]*"?|\$(\p{L}[\p{L}\d_]*|_[\p{L}\d_]*)?\$/gisu;
/** The body of an SQL-standard function: the rest is left to the check at the end. */
const BODY = /\bbegin\s+atomic\b/i;

/** Also as one of several statements, and after comments. */
export function controlsTransaction(sql: string): boolean {
  return stripComments(sql)
    .split(BODY)[0]!
    .split(';')
    .some((statement) => CONTROL.test(statement));
}

/** Removes comments; strings and quoted names become empty ones. */
function stripComments(sql: string): string {
  let out = '';
  let from = 0;
  OPAQUE.lastIndex = 0;
  for (let found = OPAQUE.exec(sql); found; found = OPAQUE.exec(sql)) {
    const [text] = found;
    out += sql.slice(from, found.index);
    from = OPAQUE.lastIndex;
    if (text === '/*') from = endOfComment(sql, from);
    else if (text.startsWith('$')) {
      const end = sql.indexOf(text, from);
      from = end < 0 ? sql.length : end + text.length;
    }
    out += text.startsWith('-') || text === '/*' ? ' ' : "''";
    OPAQUE.lastIndex = from;
  }
  return out + sql.slice(from);
}

/** SQL comments nest. */
function endOfComment(sql: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let depth = 1;
  for (let found = edge.exec(sql); found; found = edge.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return sql.length;
}

export function transactionControlled(what: string): SeineError {
  return new SeineError('usage', `${what} begins or ends a transaction, but already runs inside one.`, {
    hint: 'Leave out begin, commit and rollback; throw to roll back. Savepoints are allowed.',
  });
}

/** Before the user's statements. Not a query, so that they may still set the isolation level. */
export function transactionMark(): { readonly mark: string; readonly sql: string } {
  const mark = randomUUID();
  return { mark, sql: `set local seine.step to '${mark}'` };
}

/** After them, and before Seine's own, which need its search path and no timeout. */
export async function isMarked(tx: Tx, mark: string): Promise<boolean> {
  const { rows } = await tx.query<{ same: boolean }>(
    `select pg_catalog.current_setting('seine.step', true) is not distinct from $1 as same,
            pg_catalog.set_config('search_path', 'seine,public,pg_temp', true), pg_catalog.set_config('statement_timeout', '0', true)`,
    [mark],
  );
  return rows[0]!.same;
}
