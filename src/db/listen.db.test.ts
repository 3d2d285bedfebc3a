import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { startSilentProxy } from '../../test/support/silent-proxy.ts';
import type { Database } from './database.ts';
import { openDatabase } from './pool.ts';

let db: Database & { url: string };
let urlOf: (port: number) => string;
let socket: string;
beforeAll(async () => {
  db = await freshDatabase(2);
  const { searchParams, username, password, pathname } = new URL(db.url.replace('@/', '@localhost/'));
  socket = `${searchParams.get('host')}/.s.PGSQL.5432`;
  urlOf = (port) => `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
});
afterAll(() => db.close());

it('a server that does not support LISTEN is no failure, and is reported once', async () => {
  const said: string[] = [];
  const directUrl = urlOf(await freePort());
  const own = await openDatabase({
    databaseUrl: db.url,
    directUrl,
    max: 1,
    warn: (message) => said.push(message),
  });
  const stop = await own.listen('news', () => expect.unreachable());
  await stop();
  await own.close();
  expect(said).toEqual([
    expect.stringMatching(/^Cannot LISTEN on SEINE_DIRECT_DATABASE_URL: .* cannot be reached\./),
  ]);
});

it('a server that is silent at first does not delay the start, and is used once it responds', async () => {
  const proxy = await startSilentProxy(socket);
  proxy.dropTraffic();
  const own = await openDatabase({ databaseUrl: urlOf(proxy.port), max: 1, connectMs: 500 });
  const received = Promise.withResolvers<string>();
  const stop = await own.listen('news', received.resolve);
  proxy.restoreTraffic();
  expect(await received.promise).toBe(''); // notifications may have been lost before
  await stop();
  await own.close();
  await proxy.close();
});

it('a server that falls silent does not hold up the end', async () => {
  const proxy = await startSilentProxy(socket);
  const own = await openDatabase({ databaseUrl: urlOf(proxy.port), max: 1 });
  const stop = await own.listen('news', () => {});
  proxy.dropTraffic();
  await stop();
  await own.close();
  await proxy.close();
});
