import { codeOf, SeineError } from '../base/errors.ts';
import { backoff, timers } from '../base/retry.ts';
import { isReadOnly } from './db-errors.ts';
import type { Migration } from './migration-files.ts';

export interface MigrationTimeouts {
  /** How long a migration tries to get in between transactions of others. */
  readonly conflictTimeoutMs?: number;
  /** How long it tries while the database comes and goes: the error tells more than a longer wait would help. */
  readonly outageTimeoutMs?: number;
}

const CONFLICT_TIMEOUT_MS = 600_000;
const OUTAGE_TIMEOUT_MS = 15_000;

function blockedMessage({ number, name }: Migration): string {
  return `Migration ${number} (${name}) waits for transactions of others. The oldest ones are in pg_stat_activity.`;
}

/**
 * Those who work on the tables meanwhile may take them in another order: one of two that wait for each other must yield, and that is us. A
 * statement that was cancelled would be cancelled again, and a database that is read-only stays so for longer than anybody waits for a command.
 */
export async function retryMigration<T>(
  apply: () => Promise<T>,
  migration: Migration,
  log: (message: string) => void,
  { conflictTimeoutMs = CONFLICT_TIMEOUT_MS, outageTimeoutMs = OUTAGE_TIMEOUT_MS }: MigrationTimeouts,
): Promise<T> {
  const begun = performance.now();
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
      if (isConflict ? now - begun >= conflictTimeoutMs : now - away! >= outageTimeoutMs) throw error;
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
      hint: 'Let DATABASE_URL lead to the primary, which can be written to; or look at default_transaction_read_only.',
      retry: false,
      cause,
    },
  );
}
