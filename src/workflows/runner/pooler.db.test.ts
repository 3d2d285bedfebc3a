/** Runners behind PgBouncer in transaction mode: nothing of theirs lives in a session, except listening, which goes past it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOtherRole, freshDatabase } from '../../../test/support/database.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../../../test/support/servers/pgbouncer.ts';
import { type Database, one } from '../../db/database.ts';
import { notifyRunners, WORKFLOW_CHANNEL } from '../../events/event-notifier.ts';
import { openWorkflows, runWorkflows } from '../client.ts';
import { openWorkflowDatabase } from '../open-database.ts';
import { dropUnusedIndexes } from '../partitions/partition-index-store.ts';
import { rescale } from '../partitions/scaling.ts';
import { actionStates, errand } from './errand.fixture.ts';

const missing = await whyNoPgBouncer();

describe.skipIf(missing)('a runner behind a PgBouncer in transaction mode', () => {
  let direct: Database & { url: string };
  let bouncer: PgBouncer;
  let pooled: { databaseUrl: string; directUrl: string; connections: number };
  beforeAll(async () => {
    direct = await freshDatabase(4);
    const directUrl = await asOtherRole(direct, direct.url);
    bouncer = await startPgBouncer(directUrl, { pool_size: 3 });
    pooled = { databaseUrl: bouncer.url, directUrl, connections: 4 };
  });
  afterAll(async () => {
    await bouncer.stop();
    await direct.close();
  });

  /** Polls so rarely that only a notification explains what happens. */
  const RARELY_MS = 3_600_000;

  const listeners = async () =>
    (
      await one<{ n: number }>(
        direct,
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and query ilike 'listen%' || $1 || '%'`,
        [WORKFLOW_CHANNEL],
      )
    ).n;

  it.each([
    ['slots', null],
    ['a fixed partition', { index: 0, total: 1 }],
  ])('reacts, runs actions and is notified over the direct connection, with %s', async (what, partition) => {
    const workflow = errand({ name: what.replaceAll(' ', '-') });
    const runner = await runWorkflows({ ...pooled, workflows: [workflow], partition, pollMs: RARELY_MS });
    const client = await openWorkflows(pooled);
    try {
      await expect.poll(() => runner.holds()[0]!.parts).toBeGreaterThan(0);
      expect(await listeners()).toBe(1);
      await client.sendAll(
        workflow,
        Array.from({ length: 20 }, (_, n) => ({ id: `e${n}`, command: { type: 'run', n } })),
      );
      // The horizon is that of the whole server: a transaction of another test may hold it back when the first hint comes.
      const hintedStates = async () => {
        await notifyRunners(direct, workflow.name);
        return actionStates(direct, workflow.name);
      };
      await expect.poll(hintedStates, { interval: 500 }).toEqual({ done: 20 });
      const states = await Promise.all([0, 19].map((n) => client.state(workflow, `e${n}`)));
      expect(states).toMatchObject([{ state: { done: 1 } }, { state: { done: 1 } }]);
    } finally {
      await client.close();
      await runner.stop();
    }
  });

  it('is scaled through it, indexes of its partitions included', async () => {
    const db = await openWorkflowDatabase(pooled);
    try {
      expect(await rescale(db, 'a-fixed-partition', 1, 2)).toMatchObject({ changed: true });
      expect(await dropUnusedIndexes(db)).toEqual(['event_of_1']);
    } finally {
      await db.close();
    }
  });
});
