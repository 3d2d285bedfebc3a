import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { heldUpWorkflows } from '../../test/support/held-up.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { App } from '../app.ts';
import { readConfig } from '../config.ts';
import { type Database, many } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { Leader } from '../engine/leader/leader.ts';
import { appendEvents } from '../events/append-store.ts';
import { newWorker, runningScan } from '../scans/monitor/running-scan.fixture.ts';
import { startMaintenance } from './maintenance.ts';

let db: Database & { url: string };
let leader: Leader | null = null;
beforeAll(async () => {
  db = await freshDatabase();
});
afterEach(() => leader?.stop());
afterAll(() => db.close());

const sent: string[] = [];
const jobs: Jobs = {
  send: async (_, name, data) => void sent.push(`${name} ${JSON.stringify(data)}`),
  wake() {},
  stop: async () => {},
};

function lead(retention: Partial<App['config']['retention']> = {}): string[] {
  const said: string[] = [];
  const config = readConfig({ config: '/dev/null' }, {});
  const app: App = {
    config: { ...config, retention: { ...config.retention, ...retention } },
    db,
    secret: Buffer.alloc(32),
    close: async () => {},
  };
  leader = startMaintenance(app, jobs, randomUUID(), (message) => void said.push(message));
  return said;
}

const hears = (said: readonly string[], text: string) =>
  waitFor(db, `"${text}"`, async () => said.find((sentence) => sentence.includes(text)) ?? null);

describe('the leader', () => {
  it('says what is wrong with workers, scans and workflows', async () => {
    await newWorker(db, { seenSeconds: 100_000 });
    const scan = await runningScan(db);
    const release = await heldUpWorkflows(db, db.url);
    const said = lead();
    await hears(said, 'removed stale workers from the list: 1');
    await hears(said, `scan ${scan}: No workers running`);
    await hears(said, '1 message waits for the workflow mistyped');
    await hears(said, 'Of order, 1 message was rejected in the last hour.');
    await hears(said, 'Events of order cannot be read');
    await release();
  });

  it('ends a scan whose last job is gone', async () => {
    const scan = await runningScan(db, []);
    await db.query(
      `update scan set status = 'finalizing', heartbeat_at = clock() - interval '1 hour' where id = $1`,
      [scan],
    );
    lead();
    await hears(sent, `finalize {"scan":${scan}}`);
  });

  it('deletes what workflows no longer need', async () => {
    const address = { tenant: 'default', workflow: 'old', id: 'a' };
    await appendEvents(db, [{ ...address, key: null, expected: 0, events: [{ type: 'x', data: {} }] }]);
    await db.query(
      `insert into handled_command (workflow_key, command, at)
       select key, '\\x01', clock() - interval '2 hours' from workflow where name = 'old'`,
    );
    lead({ commandIdsMs: 3_600_000 });
    await waitFor(db, 'the id of the command to go', async () => {
      const left = await many(db, 'select from handled_command');
      return left.length === 0 ? left : null;
    });
  });
});
