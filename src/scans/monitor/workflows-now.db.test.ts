import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { heldUpWorkflows } from '../../../test/support/held-up.ts';
import type { Database } from '../../db/database.ts';
import { evaluateAlerts, evaluateScanlessAlerts } from './alerts.ts';
import { readSnapshot, readWithoutScan } from './read-snapshot.ts';
import { runningScan } from './running-scan.fixture.ts';
import type { Surroundings } from './snapshot.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const OF_WORKFLOWS = ['log-stalled', 'messages-unserved', 'workflows-parked', 'messages-rejected'];

function expectAll({ workflows }: Surroundings): void {
  expect(workflows).toMatchObject({
    stall: { workflows: ['order'] },
    unserved: [{ workflow: 'mistyped', messages: 1 }],
    parked: [{ workflow: 'order', reactions: 0, messages: 1 }],
    rejected: [{ workflow: 'order', messages: 1 }],
    runners: {
      total: 2,
      stale: 1,
      list: [
        { host: 'gone', stale: true },
        { host: 'quay', stale: false },
      ],
    },
  });
}

it('what holds up workflows, and who runs them, is seen with a scan and without', async () => {
  const release = await heldUpWorkflows(db, db.url);
  const alone = await readWithoutScan(db);
  expect(alone).toMatchObject({ scan: null, workers: { total: 0, list: [] } });
  expectAll(alone);
  expect(evaluateScanlessAlerts(null, alone).map(({ id }) => id)).toEqual(
    expect.arrayContaining(OF_WORKFLOWS),
  );
  const scan = await runningScan(db);
  const snapshot = (await readSnapshot(db, scan))!;
  await release();
  expectAll(snapshot);
  expect(evaluateAlerts(null, snapshot).map(({ id }) => id)).toEqual(expect.arrayContaining(OF_WORKFLOWS));
});
