/**
 * The session settings that our statements rely on. A server accepts them as start-up options, which costs
 * no round trip. A pooler that shares sessions does not pass options on; there they are set for each
 * transaction, together with its first statement.
 */
export interface SessionOptions {
  /**
   * Statements always use an index if there is one. For frequent statements that are planned once: a table
   * that was small when they were planned may have grown a thousandfold before it is analysed again.
   */
  readonly preferIndexes?: boolean;
  /**
   * The server aborts a transaction that was idle for this long (idle_in_transaction_session_timeout). For
   * processes that hold leases: one suspended in a transaction would keep its row locks, and other workers
   * skip locked leases.
   */
  readonly endStandstillMs?: number;
}

/** Only set in a session with our start-up options: no pooler tracks it. */
const MARK = 'seine.options';
export const SESSION_IS_OURS = `select current_setting('${MARK}', true) = 'on' as ours`;

export interface SessionSettings {
  /** As start-up options. */
  readonly options: string;
  /** As a query before one statement, for its implicit transaction. */
  readonly query: string;
  /**
   * As the start of a transaction. These statements are not queries, so the transaction may still choose
   * its isolation level.
   */
  readonly begin: string;
}

export function settingsOf({ preferIndexes, endStandstillMs }: SessionOptions): SessionSettings {
  const settings: [name: string, value: string][] = [['search_path', 'seine,public']]; // our tables are in the schema `seine`
  if (preferIndexes) settings.push(['enable_seqscan', 'off']);
  if (endStandstillMs) settings.push(['idle_in_transaction_session_timeout', String(endStandstillMs)]);
  const started = [...settings, [MARK, 'on']];
  return {
    options: started.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    query: `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`,
    begin: ['begin', ...settings.map(([name, value]) => `set local ${name} to ${value}`)].join('; '),
  };
}

/**
 * Undoes what foreign statements have changed in the session of their transaction: roles, settings,
 * cursors, LISTEN, temporary tables, session-level advisory locks. Part of the transaction, so it also
 * works for the shared session behind a pooler. Start-up options are kept; without them, behind a pooler,
 * our own statements need the search path that is set here. Temporary tables are searched last.
 */
export const CLEAN_SESSION = [
  'reset session authorization',
  'reset role',
  'reset all',
  `set client_encoding to 'UTF8'`, // a pooled session may have started with another one
  'close all',
  'unlisten *',
  'discard temp',
  'select pg_catalog.pg_advisory_unlock_all()',
  'set local search_path to seine, public, pg_temp',
  'set local statement_timeout to 0',
].join('; ');

/**
 * Removes the statement timeouts set by the role, the database or DATABASE_URL, for statements that may
 * take hours. `transaction_timeout` exists since PostgreSQL 17.
 */
export function withoutTimeouts(of: 'transaction' | 'session'): string {
  return `select set_config(name, '0', ${of === 'transaction'}) from pg_settings where name in ('statement_timeout', 'transaction_timeout')`;
}

/** Options of the user's URL are kept. */
export function withOptions(url: string, ours: string): string {
  const theirs = OPTIONS.exec(url);
  if (!theirs) return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(ours)}`;
  const both = encodeURIComponent(`${decodeURIComponent(theirs[2]!.replaceAll('+', ' '))} ${ours}`);
  return url.replace(theirs[0], () => `${theirs[1]}${both}`);
}

export function hasOptions(url: string): boolean {
  return OPTIONS.test(url);
}

const OPTIONS = /([?&]options=)([^&]*)/;
