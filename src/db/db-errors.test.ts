import { describe, expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import { isTransientDbError, mapDbError } from './db-errors.ts';

const refused = (code: string | undefined, message = 'refused') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('a failure of the database', () => {
  const conflicts = '40000 40001 40P01 53000 53200 55006 55P03 57014 72000'.split(' ');
  it.each(conflicts)('is retried on the same connection after a conflict: %s', (code) => {
    const error = mapDbError(refused(code));
    expect(error).toBeInstanceOf(SeineError);
    expect(error).toMatchObject({ retry: true });
    expect(isTransientDbError(refused(code))).toBe(false); // the connection is still usable
  });

  const outages = [
    '08000 08001 08003 08004 08006 08007 08P01',
    '25006 25P03 25P04 26000 42P05 40003 53300',
    '57000 57P01 57P02 57P03 57P05 58000 58030',
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN',
    'ENETUNREACH ENETDOWN ENETRESET ENOTCONN EADDRNOTAVAIL ENOENT ERR_STREAM_DESTROYED ERR_SOCKET_CLOSED',
  ].flatMap((line) => line.split(' '));
  it.each(outages)('is retried on another connection when the server is of no use now: %s', (code) => {
    expect(mapDbError(refused(code))).toMatchObject({ kind: 'unavailable', retry: true });
    expect(isTransientDbError(refused(code))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('is an outage although node-postgres gives it no code: %s', (message) => {
    expect(isTransientDbError(refused(undefined, message))).toBe(true);
  });

  it.each([
    ['0A000', 'cached plan must not change result type', true],
    ['0A000', 'cross-database references are not implemented', false],
    ['08P01', 'query_wait_timeout', true],
    ['08P01', 'no such database: x', false],
    ['08P01', 'auth failed', false],
  ])('is distinguished by its message where the code is ambiguous: %s %s', (code, message, outage) => {
    expect(isTransientDbError(refused(code, message))).toBe(outage);
  });

  it.each(['XX000'])('of two concurrent changes of the catalogue is retried: %s', (code) => {
    expect(mapDbError(refused(code, 'tuple concurrently updated'))).toMatchObject({ retry: true });
    const other = refused(code, 'unexpected chunk number');
    expect(mapDbError(other)).toBe(other);
  });

  it.each(
    'CERT_HAS_EXPIRED SELF_SIGNED_CERT_IN_CHAIN ERR_TLS_CERT_ALTNAME_INVALID EPROTO ERR_SSL_WRONG_VERSION_NUMBER'.split(
      ' ',
    ),
  )('of TLS is permanent and names the settings to check: %s', (code) => {
    expect(mapDbError(refused(code))).toMatchObject({
      kind: 'permission',
      retry: false,
      hint: expect.stringContaining('sslrootcert'),
    });
  });

  it.each('28000 28P01 3D000 42501 53100 57P04 XX001 XX002'.split(' '))(
    'that a person must mend is explained and not retried: %s',
    (code) => {
      expect(mapDbError(refused(code))).toMatchObject({ name: 'SeineError', retry: false });
    },
  );

  it.each('42703 42P01 23505 22003 25P02 25001 40002 53400 55000 58P01'.split(' '))(
    'is not mapped when the statement was wrong, or the cause is unknown: %s',
    (code) => {
      const wrong = refused(code);
      expect(mapDbError(wrong)).toBe(wrong);
    },
  );
});
