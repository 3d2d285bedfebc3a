/** Workers with few connections: a small pool of their own, and a PgBouncer whose sessions they share. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { one } from '../../src/db/database.ts';
import { coverageSums } from '../../src/scans/shard/shard-store.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { asOtherRole } from '../support/database.ts';
import { startPgBouncer, whyNoPgBouncer } from '../support/servers/pgbouncer.ts';
import { makeTree } from '../support/tree.ts';

const missing = await whyNoPgBouncer();

const FILES = 3000;
let cluster: Cluster;
let tree: string;

/** Submits a scan of the tree to the workers, waits for its end, and compares its ledger with the tree. */
async function scanIt(env: Record<string, string>): Promise<void> {
  const { code, stderr } = await cluster.run(['scan', tree, '--full', '--wait', '-q'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const scan = await one<{ id: number; status: string }>(
    cluster.db,
    'select id, status from scan order by id desc limit 1',
  );
  const { listed, ledgered } = await coverageSums(cluster.db, scan.id);
  expect({ status: scan.status, listed, ledgered }).toEqual({
    status: 'completed',
    listed: FILES,
    ledgered: FILES,
  });
}

beforeAll(async () => {
  cluster = await openCluster();
  tree = join(cluster.folder, 'tree');
  makeTree(tree, FILES);
});
afterAll(() => cluster.close());

it('a worker with two connections completes a scan', async () => {
  const worker = await cluster.addWorker([], { env: { SEINE_POOL: '2' } });
  await scanIt({ SEINE_POOL: '2' });
  worker.kill('SIGTERM');
  await worker.ended;
});

describe.skipIf(missing)('behind a PgBouncer with five sessions', () => {
  it.each([['options'], ['']])(
    'workers that want more complete scans (ignore_startup_parameters = %s)',
    async (ignored) => {
      const url = await asOtherRole(cluster.db, cluster.env.DATABASE_URL!);
      const bouncer = await startPgBouncer(url, {
        pool_size: 5,
        ignore_startup_parameters: ignored,
      });
      const env = { DATABASE_URL: bouncer.url };
      const workers = await Promise.all(Array.from({ length: 3 }, () => cluster.addWorker([], { env })));
      await scanIt(env);
      const doctor = await cluster.run(['doctor'], { env });
      expect(doctor.stdout).toMatch(/through a connection pooler, without notifications/);
      for (const worker of workers) worker.kill('SIGTERM');
      await Promise.all(workers.map(({ ended }) => ended));
      await bouncer.stop();
    },
  );
});
