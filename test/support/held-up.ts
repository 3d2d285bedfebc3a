/** Workflows that are blocked in every way that must be reported, as stored in the database. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { registerWorker } from '../../src/engine/workers/worker-store.ts';
import { appendEvents } from '../../src/events/append-store.ts';
import { addMessages } from '../../src/workflows/messages/message-store.ts';
import { recordRejections } from '../../src/workflows/messages/rejection-store.ts';
import { openPartitioning } from '../../src/workflows/partitions/partitioning.ts';

const order = { tenant: 'default', workflow: 'order', id: 'a' };

/**
 * A message to `mistyped` that no runner serves; of `order` a message that is parked, one that was rejected, a runner that is there and one that
 * is gone, and an event behind a transaction that is left open until `release`.
 */
export async function heldUpWorkflows(db: Database, url: string): Promise<() => Promise<void>> {
  await addMessages(db, [
    { ...order, workflow: 'mistyped', kind: 'command', body: { type: 'x' } },
    { ...order, kind: 'command', body: { type: 'x' } },
  ]);
  await db.query(
    `update message
     set due_at = due_at - interval '5 minutes', parked_at = case when workflow = 'order' then clock() end`,
  );
  await db.tx((tx) =>
    recordRejections(tx, [{ ...order, kind: 'command', type: 'x', timer: null, reason: 'It is closed.' }]),
  );
  await addRunner(db, 'quay');
  await addRunner(db, 'gone');
  await db.query(`update worker set heartbeat_at = heartbeat_at - interval '2 minutes' where host = 'gone'`);
  return stalledLog(db, url);
}

async function addRunner(db: Database, host: string): Promise<void> {
  const process = { id: randomUUID(), host, pid: 1, version: '0.2.0', threads: 1, concurrency: 1 };
  await registerWorker(db, { ...process, role: 'workflows', workflows: ['order'] });
}

async function stalledLog(db: Database, url: string): Promise<() => Promise<void>> {
  await openPartitioning(db, 'order', { mode: 'slots' });
  const forgotten = new pg.Client({ connectionString: url, application_name: 'forgotten' });
  await forgotten.connect();
  await forgotten.query('begin');
  await forgotten.query('select pg_current_xact_id()');
  await appendEvents(db, [{ ...order, key: null, expected: 0, events: [{ type: 'placed', data: {} }] }]);
  await db.query(`update event set at = at - interval '1 minute'`);
  return () => forgotten.end();
}
