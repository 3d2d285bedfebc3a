import type { ErrorKind } from '../base/errors.ts';

/**
 * The meaning of the errors of PostgreSQL, of connection poolers and of the network. One of three:
 *
 *   outage     kind `unavailable`: retried, and the connection it came from is discarded
 *   conflict   `retry` with another kind: retried on the same connection
 *   permanent  neither: retrying cannot help
 *
 * Codes that are not listed are errors in a statement (classes 22, 23, 42) or need an administrator, and are not mapped.
 */
export interface DbErrorMeaning {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string;
  /** The same statement may succeed if it is retried, although the server is available. */
  readonly retry?: boolean;
}

export const UNREACHABLE: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The database cannot be reached.',
  hint: 'Check that the server of DATABASE_URL is running, and that host and port are right.',
};
export const AUTHENTICATION_FAILED: DbErrorMeaning = {
  kind: 'permission',
  message: 'Database authentication failed.',
  hint: 'Check user name and password in DATABASE_URL, and whether the server wants TLS (sslmode=require).',
};
export const NO_DATABASE: DbErrorMeaning = {
  kind: 'not-found',
  message: 'The server has no database of that name.',
  hint: 'Create it, or correct the name in DATABASE_URL.',
};
export const POOLER_REFUSED: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The connection pooler in front of the database ended the connection.',
  hint: 'See its log. Often its pool is too small for the number of workers, or the server behind it is down.',
};
export const POOL_BUSY: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'All connections of this process to the database were in use for too long.',
  hint: 'Raise database.pool (SEINE_POOL), or check pg_stat_activity for slow statements.',
};
export const PREPARED_STATEMENT_LOST: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'A prepared statement of this connection is no longer valid.',
  hint: 'It is repeated on a new connection. If this comes back, a connection pooler may be in between.',
};
export const TLS_FAILED: DbErrorMeaning = {
  kind: 'permission',
  message: 'No TLS connection to the database could be made.',
  hint: 'Check sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL, and the certificate of the server.',
};
export const WRITE_CONFLICT: DbErrorMeaning = {
  kind: 'conflict',
  message: 'Another transaction was changing the same rows of the database.',
  hint: 'Try again in a moment.',
  retry: true,
};
const RESTARTING: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The database is starting or stopping.',
  hint: 'Try again in a moment.',
};
const IDLE_IN_TRANSACTION: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'Transaction aborted: idle too long.',
  hint: 'The process may have been suspended, or its machine overloaded.',
};
const READ_ONLY: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The database is read-only.',
  hint: 'After a failover DATABASE_URL may still lead to the old primary or to a standby; otherwise check default_transaction_read_only.',
};
const IDLE_SESSION_ENDED: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The database ended a connection that was idle.',
  hint: 'idle_session_timeout of the server is short.',
};
const CANCELLED: DbErrorMeaning = {
  kind: 'conflict',
  message: 'The database cancelled a statement.',
  hint: 'An administrator did so, or statement_timeout is too short.',
  retry: true,
};
const OUT_OF_MEMORY: DbErrorMeaning = {
  kind: 'limit',
  message: 'The database is short of memory.',
  hint: 'Lower work_mem or the number of connections, or give the server more memory.',
  retry: true,
};
const STORAGE_FAILED: DbErrorMeaning = {
  kind: 'unavailable',
  message: 'The storage of the database failed.',
  hint: 'See the log of the database server.',
};
const DAMAGED: DbErrorMeaning = {
  kind: 'corrupt',
  message: 'The database is damaged.',
  hint: 'See the log of the database server. Restore a backup.',
};

export const FOREIGN_LOG: DbErrorMeaning = {
  kind: 'conflict',
  message: 'The event log was written by another database cluster than this one.',
  hint: 'It was restored from a dump. With all runners stopped, once: seine partitions repair-log',
};

const all = (codes: string, meaning: DbErrorMeaning): [string, DbErrorMeaning][] =>
  codes.split(' ').map((code) => [code, meaning]);

export const MEANING_BY_CODE: ReadonlyMap<string, DbErrorMeaning> = new Map([
  // Node: names, addresses, broken connections
  ...all('ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA ENOENT ECONNREFUSED EADDRNOTAVAIL', UNREACHABLE),
  ...all('EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENETRESET ETIMEDOUT', UNREACHABLE),
  ...all('ECONNRESET ECONNABORTED ENOTCONN ESHUTDOWN EPIPE', UNREACHABLE),
  ...all('ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_SOCKET_CLOSED', UNREACHABLE),
  ...all('ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CONNECTION_TIMEOUT', UNREACHABLE),
  // Node: TLS. Certificate errors are permanent.
  ...all('EPROTO ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH', TLS_FAILED),
  ...all('CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_REJECTED CERT_UNTRUSTED', TLS_FAILED),
  ...all('CERT_SIGNATURE_FAILURE DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN', TLS_FAILED),
  ...all('UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY', TLS_FAILED),
  ...all('UNABLE_TO_VERIFY_LEAF_SIGNATURE INVALID_CA INVALID_PURPOSE', TLS_FAILED),
  // 08: connection exceptions. PgBouncer uses 08P01 for everything it rejects; see db-errors.ts.
  ...all('08000 08001 08003 08004 08006 08007', UNREACHABLE),
  ['08P01', POOLER_REFUSED],
  // 25: transaction state. 25001, 25P01 and 25P02 would be bugs of ours.
  ['25006', READ_ONLY],
  ...all('25P03 25P04', IDLE_IN_TRANSACTION),
  // 26, 42P05: a prepared statement is missing on this connection, or already exists
  ...all('26000 42P05', PREPARED_STATEMENT_LOST),
  ...all('28000 28P01', AUTHENTICATION_FAILED),
  ['3D000', NO_DATABASE],
  // 40: 40002 is a violated constraint, hence permanent
  ...all('40000 40001 40P01', WRITE_CONFLICT),
  ['40003', UNREACHABLE],
  [
    '42501',
    {
      kind: 'permission',
      message: 'The database user lacks a privilege.',
      hint: 'Allow it to create a schema (GRANT CREATE ON DATABASE), or have an administrator run the migrations.',
    },
  ],
  // 53: a full disk needs an administrator; so does 53400 (a configured limit), which is not mapped
  ...all('53000 53200', OUT_OF_MEMORY),
  [
    '53100',
    { kind: 'limit', message: 'The disk of the database is full.', hint: 'Free some space, then resume.' },
  ],
  [
    '53300',
    {
      kind: 'unavailable',
      message: 'The database has no free connection.',
      hint: 'Raise max_connections, start fewer workers, or lower database.pool.',
    },
  ],
  // 55: 55000 and 55P02 would be errors in a statement
  ...all('55006 55P03', WRITE_CONFLICT),
  // 57
  ...all('57000 57P01 57P02 57P03', RESTARTING),
  ['57014', CANCELLED],
  ['57P04', NO_DATABASE],
  ['57P05', IDLE_SESSION_ENDED],
  // 58: 58P01 and 58P02 (missing or duplicate files) need an administrator
  ...all('58000 58030', STORAGE_FAILED),
  ['72000', WRITE_CONFLICT],
  // Our own: see require_own_log in the migrations
  ['SE001', FOREIGN_LOG],
  // XX: XX000 is distinguished by its message; see db-errors.ts
  ...all('XX001 XX002', DAMAGED),
]);
