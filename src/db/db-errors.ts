import { statfsSync } from 'node:fs';
import { codeOf, SeineError } from '../base/errors.ts';
import {
  AUTHENTICATION_FAILED,
  type DbErrorMeaning,
  MEANING_BY_CODE,
  NO_DATABASE,
  POOL_BUSY,
  PREPARED_STATEMENT_LOST,
  TLS_FAILED,
  UNREACHABLE,
  WRITE_CONFLICT,
} from './db-error-codes.ts';

/** The server is temporarily unavailable: the same statement may succeed if retried. */
export function isTransientDbError(error: unknown): boolean {
  return error instanceof SeineError
    ? error.kind === 'unavailable'
    : meaningOf(error)?.kind === 'unavailable';
}

/**
 * Maps errors between us and the database to a SeineError; errors of a statement are returned unchanged,
 * with their code.
 */
export function mapDbError(error: unknown): unknown {
  if (error instanceof SeineError) return error;
  const meaning = meaningOf(error);
  if (!meaning) return error;
  const { kind, message, hint, retry } = meaning;
  return new SeineError(kind, message, { hint, ...(retry && { retry }), cause: error });
}

function meaningOf(error: unknown): DbErrorMeaning | undefined {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : '';
  for (const [of, words, meaning] of BY_MESSAGE) if (of === code && words.test(text)) return meaning;
  if (code?.startsWith('ERR_SSL_')) return TLS_FAILED;
  return code === undefined ? undefined : MEANING_BY_CODE.get(code);
}

/**
 * Rules by message, where the code is ambiguous or missing: node-postgres has no codes for errors of the
 * connection itself.
 */
const BY_MESSAGE: readonly (readonly [code: string | undefined, words: RegExp, meaning: DbErrorMeaning])[] = [
  [undefined, /^timeout exceeded when trying to connect/, POOL_BUSY],
  [undefined, /Connection terminated|timeout expired|Query read timeout/, UNREACHABLE],
  [undefined, /Client has encountered|Client was closed|establishing an SSL connection/, UNREACHABLE],
  [undefined, /SASL|SCRAM|does not support SSL/, AUTHENTICATION_FAILED],
  ['08P01', /no such database|database .* does not exist/, NO_DATABASE],
  ['08P01', /auth|password|no such user/i, AUTHENTICATION_FAILED],
  ['0A000', /cached plan must not change result type/, PREPARED_STATEMENT_LOST],
  ['XX000', /tuple concurrently (?:updated|deleted)|cache lookup failed/, WRITE_CONFLICT],
];

/**
 * Recognises a pooler that rejects start-up options (PgBouncer without `ignore_startup_parameters =
 * options`).
 */
export function isOptionsRejected(error: unknown): boolean {
  return codeOf(error) === '08P01' && /startup parameter/i.test((error as Error).message);
}

/** All connections are used by our own statements, which says nothing about the server. */
export function isPoolBusy(error: unknown): boolean {
  return meaningOf(error) === POOL_BUSY;
}

/** The server was demoted, or is a standby: another one may be the primary by now. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

const MIN_FREE_BYTES = 32 << 20; // a server stops without disk space for its write-ahead log

/**
 * Explains why the private server of a data folder is unreachable, without mentioning a DATABASE_URL, which
 * is not used.
 */
export function mapPrivateServerError(error: unknown, dataFolder: string): SeineError {
  const { bavail, bsize } = statfsSync(dataFolder);
  if (bavail * bsize < MIN_FREE_BYTES) {
    return new SeineError('limit', `The disk of the data folder ${dataFolder} is full.`, {
      hint: 'Free some space, then go on with: seine resume',
      cause: error,
    });
  }
  if (error instanceof SeineError && error.message !== UNREACHABLE.message) return error;
  return new SeineError('unavailable', 'The private database stopped.', {
    hint: `It is restarted when needed. If this recurs, see its log in ${dataFolder} and run seine doctor.`,
    cause: error,
  });
}
