import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { type SilentProxy, startSilentProxy } from '../../test/support/silent-proxy.ts';
import { type Database, one } from './database.ts';
import { openDatabase } from './pool.ts';

let db: Database & { url: string };
let proxy: SilentProxy;
let far: Database;
let farUrl: string;
beforeAll(async () => {
  db = await freshDatabase(2);
});
beforeEach(async () => {
  const at = new URL(db.url.replace('@/', '@localhost/'));
  proxy = await startSilentProxy(`${at.searchParams.get('host')}/.s.PGSQL.5432`);
  farUrl = `postgres://${at.username}:${at.password}@127.0.0.1:${proxy.port}${at.pathname}`;
  far = await openDatabase({ databaseUrl: farUrl, max: 2, probeAfterMs: 500 });
});
afterEach(async () => {
  await proxy.close();
  await far.close();
});
afterAll(() => db.close());

describe('a server that vanishes without a word', () => {
  it('is noticed by a statement that waits for it, and the next one works when it is back', async () => {
    const asleep = far.query('select pg_sleep(3600)');
    const working = far.tx((tx) => tx.query('select pg_sleep(3600)'));
    const sleeping = `select count(*) as n from pg_stat_activity where datname = current_database() and query like '%3600%' and state = 'active' and pid <> pg_backend_pid()`;
    await expect.poll(() => one(db, sleeping)).toEqual({ n: 2 });
    proxy.dropTraffic();
    const lost = { status: 'rejected', reason: { kind: 'unavailable', retry: true } };
    expect(await Promise.allSettled([asleep, working])).toMatchObject([lost, lost]);
    proxy.restoreTraffic();
    expect(await one(far, 'select 1 as n')).toEqual({ n: 1 });
  });

  it('is not suspected because a statement takes long', async () => {
    // Several times longer than a probe of the server takes.
    expect(await one(far, `select 1 as n from pg_sleep(4)`)).toEqual({ n: 1 });
  });

  it('is detected by TCP keepalive while a connection is idle', async () => {
    await far.query('select 1');
    // A keepalive timer (02) that fires within 20 seconds, in hundredths of a second.
    const port = proxy.port.toString(16).toUpperCase().padStart(4, '0');
    const ours = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[2]?.endsWith(`:${port}`) && fields[3] === '01');
    expect(ours.length).toBeGreaterThan(0);
    for (const fields of ours) {
      const [timer, when] = fields[5]!.split(':');
      expect(timer).toBe('02');
      expect(Number.parseInt(when!, 16)).toBeLessThan(2000);
    }
  });
});

describe('connections that were forgotten on the way, while new ones work', () => {
  it('are noticed by statements whose question never arrived', async () => {
    await Promise.all([far.query('select 1'), far.tx((tx) => tx.query('select pg_sleep(0.1)'))]);
    proxy.forget();
    const lost = { status: 'rejected', reason: { kind: 'unavailable', retry: true } };
    const pending = [far.query('select 2'), far.tx((tx) => tx.query('select 3'))];
    expect(await Promise.allSettled(pending)).toMatchObject([lost, lost]);
    expect(await one(far, 'select 4 as n')).toEqual({ n: 4 });
  });

  it('are noticed by a statement whose answer is lost', async () => {
    const asleep = far.query('select pg_sleep(1)');
    const sleeping = `select count(*) as n from pg_stat_activity where datname = current_database() and query like '%pg_sleep(1)%' and state = 'active' and pid <> pg_backend_pid()`;
    await expect.poll(() => one(db, sleeping)).toEqual({ n: 1 });
    proxy.forget();
    await expect(asleep).rejects.toMatchObject({ kind: 'unavailable', retry: true });
  });

  it('do not hold up the end, whether or not a statement waits', async () => {
    const patient = await openDatabase({ databaseUrl: farUrl, max: 2, probeAfterMs: 3_600_000 });
    await Promise.all([patient.query('select pg_sleep(0.1)'), patient.query('select 2')]);
    const forgotten = Promise.withResolvers<void>();
    const pending = patient.tx(async (tx) => {
      await tx.query('select 3');
      proxy.forget();
      forgotten.resolve();
      return tx.query('select 4');
    });
    const lost = expect(pending).rejects.toMatchObject({ kind: 'unavailable' });
    await forgotten.promise;
    await patient.close();
    await lost;
  });
});
