/**
 * A stalled log: readers never pass an open transaction, anywhere on the server. A forgotten one blocks all readers of all workflows, which then look
 * idle. So it is detected and named, with the command that ends it.
 */
import type { Queryable } from '../../db/database.ts';
import { heldBack, type OldestTransaction, oldestTransaction } from './stall-store.ts';

export interface Stall {
  readonly transaction: OldestTransaction;
  /** The workflows whose events can't be read. */
  readonly workflows: readonly string[];
  /** Age of the first of these events. */
  readonly waitingSeconds: number;
}

/** Transactions that append events take milliseconds: after this time, something else blocks the log. */
export const STALLED_AFTER_MS = 5000;

/** Of these workflows; null: all that have readers. */
export async function findStall(
  db: Queryable,
  workflows: readonly string[] | null = null,
  afterMs = STALLED_AFTER_MS,
): Promise<Stall | null> {
  const transaction = await oldestTransaction(db);
  if (transaction === null) return null;
  const held = await heldBack(db, workflows, transaction.xid, afterMs);
  if (held.length === 0) return null;
  const waitingSeconds = Math.max(...held.map(({ seconds }) => seconds));
  const query = transaction.query === null ? null : redactLiterals(transaction.query);
  return {
    transaction: { ...transaction, query },
    workflows: held.map(({ workflow }) => workflow),
    waitingSeconds,
  };
}

/** Returns one sentence. */
export function formatStall({ transaction, workflows, waitingSeconds }: Stall): string {
  const whose = workflows.length === 1 ? workflows[0] : `${workflows.length} workflows`;
  return `Events of ${whose} cannot be read for ${formatDuration(waitingSeconds)}: ${transactionText(transaction)}.`;
}

/** How to end it. */
export function stallAdvice({ transaction: { pid, gid, database, hiddenFrom } }: Stall): string {
  if (gid !== null) {
    const name = `'${oneLine(gid).replaceAll("'", "''")}'`;
    return `Connect to the database ${oneLine(database ?? '')} and end it: rollback prepared ${name}; or commit prepared ${name};`;
  }
  const end = `Let its program commit, or end it: select pg_terminate_backend(${pid});`;
  if (hiddenFrom === null) return end;
  return `${end} Its state and query are hidden from the role ${hiddenFrom}; to see them: grant pg_read_all_stats to ${hiddenFrom};`;
}

function transactionText(transaction: OldestTransaction): string {
  const { pid, gid, user, database, application, client, seconds, state, query } = transaction;
  const who = [
    user === null ? null : `user ${user}`,
    database === null ? null : `database ${database}`,
    application === null ? null : `application ${application}`,
    client === null ? null : `client ${client}`,
  ];
  const details = who.filter((part) => part !== null).map(oneLine);
  const since = seconds === null ? '' : ` for ${formatDuration(seconds)}`;
  if (gid !== null)
    return `the prepared transaction '${oneLine(gid)}' (${details.join(', ')}) has been open${since}`;
  const doing = state === null ? '' : `, ${state}`;
  const said = query === null || transaction.hiddenFrom !== null ? '' : `; last statement: ${query}`;
  return `a transaction of pid ${pid} (${details.join(', ')}${doing}) has been open${since}${said}`;
}

const MAX_QUERY_LENGTH = 160;

/** A statement of any program on the server: its literals may be personal data, and are masked. */
export function redactLiterals(query: string): string {
  const masked = oneLine(query)
    .replace(/\$([a-z_]*)\$.*?(\$\1\$|$)/gi, '?')
    .replace(/e?'(?:[^'\\]|''|\\.)*('|$)/gi, '?')
    .replace(/(?<![\w$"])\d[\w.]*/g, '?');
  return masked.length > MAX_QUERY_LENGTH ? `${masked.slice(0, MAX_QUERY_LENGTH)}...` : masked;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
