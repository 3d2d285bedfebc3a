/** Transactions of actions behind PgBouncer in transaction mode: what they change in a session that others share ends with them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOtherRole, freshDatabase } from '../../../test/support/database.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../../../test/support/servers/pgbouncer.ts';
import { type Database, one } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { processes, reaches, readAction, requestActions, workflowWith } from './action.fixture.ts';

const missing = await whyNoPgBouncer();

describe.skipIf(missing)('a transaction behind a PgBouncer', () => {
  let direct: Database & { readonly url: string };
  let bouncer: PgBouncer;
  let pooled: Database;
  beforeAll(async () => {
    direct = await freshDatabase(4);
    bouncer = await startPgBouncer(await asOtherRole(direct, direct.url), { pool_size: 1 });
    pooled = await openDatabase({ databaseUrl: bouncer.url, max: 4, preferIndexes: true });
  });
  afterAll(async () => {
    await pooled.close();
    await bouncer.stop();
    await direct.close();
  });

  it('that changes the session leaves the shared one as it was', async () => {
    const runners = processes(pooled);
    const { actions } = await requestActions(direct, 'pooled', 'a', [{ name: 'book' }, { name: 'next' }]);
    const statements = [
      'set search_path to public',
      'set statement_timeout to 60000',
      'set default_transaction_read_only to on',
      'create temp table action (x int)',
      'select pg_advisory_lock(4711)',
    ];
    runners.start(
      workflowWith('pooled', {
        book: {
          transaction: async (tx) => {
            for (const sql of statements) await tx.query(sql);
          },
          attempts: 1,
        },
        next: async () => 1,
      }),
    );
    for (const id of actions) await reaches(direct, id, 'done');
    expect(await readAction(direct, actions[0]!)).toMatchObject({ state: 'done', attempts: 1 });
    expect(runners.errors).toEqual([]);
    await runners.stop();
    const session = `select current_setting('statement_timeout') as limit, current_setting('transaction_read_only') as read_only,
       (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;
    expect(await one(pooled, session)).toEqual({ limit: '0', read_only: 'off', locks: 0 });
  });
});
