import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { startPgBouncer, whyNoPgBouncer } from '../../test/support/servers/pgbouncer.ts';
import { type SilentProxy, startSilentProxy } from '../../test/support/silent-proxy.ts';
import { type Database, one } from './database.ts';
import { openDatabase } from './pool.ts';

const missing = await whyNoPgBouncer();

let db: Database & { url: string };
let primary: SilentProxy;
let urlOf: (...ports: number[]) => string;
beforeAll(async () => {
  db = await freshDatabase(1);
  const { searchParams, username, password, pathname } = new URL(db.url.replace('@/', '@localhost/'));
  primary = await startSilentProxy(`${searchParams.get('host')}/.s.PGSQL.5432`);
  urlOf = (...ports) => {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    return `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
  };
});
afterAll(async () => {
  await primary.close();
  await db.close();
});

it('of several hosts the one that answers is used', async () => {
  const several = await openDatabase({ databaseUrl: urlOf(await freePort(), primary.port), max: 2 });
  expect(await Promise.all([1, 2, 3].map((n) => one(several, 'select $1::int as n', [n])))).toEqual(
    [1, 2, 3].map((n) => ({ n })),
  );
  await several.close();
});

it.skipIf(missing)('of several hosts the one that can be written to is used', async () => {
  const standby = await startPgBouncer(db.url, { connect_query: 'set default_transaction_read_only to on' });
  const several = await openDatabase({
    databaseUrl: urlOf(Number(new URL(standby.url).port), primary.port),
    max: 2,
  });
  await several.query('create table public.written ()');
  await several.close();
  await standby.stop();
});

it('reports when no host is reachable', async () => {
  const several = await openDatabase({ databaseUrl: urlOf(await freePort(), await freePort()), max: 2 });
  await expect(several.query('select 1')).rejects.toMatchObject({ kind: 'unavailable' });
  await several.close();
});

it('a host whose connections are all in use is kept, and its statements continue', async () => {
  const databaseUrl = urlOf(primary.port, await freePort());
  const several = await openDatabase({ databaseUrl, max: 1, connectMs: 1000, probeAfterMs: 500 });
  await several.query('select 1');
  const long = one(several, 'select 1 as n from pg_sleep(4)');
  await expect(several.query('select 2')).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('in use for too long'),
  });
  expect(await long).toEqual({ n: 1 });
  await several.close();
});
