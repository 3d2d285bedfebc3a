import { codeOf, SeineError } from '../base/errors.ts';
import { backoff, timers } from '../base/retry.ts';
import { isReadOnly } from './db-errors.ts';
import type { Migration } from './migration-files.ts';

export interface MigrationTimeouts {
  /** How long a migration is retried after conflicts with other transactions. */
  readonly conflictTimeoutMs?: number;
  /** How long it is retried during an outage: then the error is more useful than a longer wait. */
  readonly outageTimeoutMs?: number;
}

const CONFLICT_TIMEOUT_MS = 600_000;
const OUTAGE_TIMEOUT_MS = 15_000;

function blockedMessage({ number, name }: Migration): string {
  return `Migration ${number} (${name}) waits for other transactions. See pg_stat_activity for the oldest ones.`;
}

/**
 * Concurrent transactions may lock the tables in another order; in a deadlock the migration yields and is
 * retried. Not retried: a cancelled statement, which would be cancelled again, and a read-only database,
 * which stays read-only for longer than a command should wait.
 */
export async function retryMigration<T>(
  apply: () => Promise<T>,
  migration: Migration,
  log: (message: string) => void,
  { conflictTimeoutMs = CONFLICT_TIMEOUT_MS, outageTimeoutMs = OUTAGE_TIMEOUT_MS }: MigrationTimeouts,
): Promise<T> {
  const startedAt = performance.now();
  let away: number | null = null;
  for (let attempt = 0; ; attempt++) {
    try {
      return await apply();
    } catch (error) {
      const now = performance.now();
      if (isReadOnlyDatabase(error)) throw readOnlyError(error);
      if (!isWorthAnotherTry(error)) throw error;
      const isConflict = error.kind === 'conflict';
      if (isConflict) away = null;
      else away ??= now;
      log(isConflict ? blockedMessage(migration) : `${error.message} Trying again.`);
      if (isConflict ? now - startedAt >= conflictTimeoutMs : now - away! >= outageTimeoutMs) throw error;
      await timers.sleep(50 + backoff(attempt));
    }
  }
}

function isWorthAnotherTry(error: unknown): error is SeineError {
  return error instanceof SeineError && error.retry && codeOf(error.cause) !== '57014';
}

function isReadOnlyDatabase(error: unknown): boolean {
  return error instanceof SeineError && isReadOnly(error.cause);
}

function readOnlyError(cause: unknown): SeineError {
  return new SeineError(
    'unavailable',
    'The database is read-only, and its schema must be brought up to date first.',
    {
      hint: 'Point DATABASE_URL to the primary, or check default_transaction_read_only.',
      retry: false,
      cause,
    },
  );
}
