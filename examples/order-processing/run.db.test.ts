/** The example on real runners: every order ends as it does in a trial, and nothing is done twice. */
import {
  openWorkflows,
  type Runner,
  runWorkflows,
  testEnvironment,
  type WorkflowClient,
} from 'seine/workflows';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { waitUntil } from '../../test/support/wait-for.ts';
import { bankTable, chargeCard, refundCard } from './bank.ts';
import { bookCarrier, callOffCarrier, carrierTable } from './carrier.ts';
import { type OrderCommand, order } from './order.ts';
import { closeOutside, query } from './outside.ts';
import { shipment } from './shipment.ts';

vi.hoisted(() => {
  process.env.TRANSIT_MS = '50';
});

let db: Awaited<ReturnType<typeof freshDatabase>>;
let client: WorkflowClient;
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase();
  process.env.DATABASE_URL = db.url;
  await query(bankTable);
  await query(carrierTable);
  client = await openWorkflows({ databaseUrl: db.url });
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop(0)));
  await client.close();
  await closeOutside();
  await db.close();
});

const purchases = {
  plain: { card: '4000-1', address: 'Quay 3, Harwich' },
  declined: { card: '4000-2', address: 'Quay 3, Harwich' },
  unanswered: { card: '4000-9', address: 'Quay 3, Harwich' },
  lost: { card: '4000-1', address: 'nowhere' },
  refused: { card: '4000-1', address: 'the moon' },
};
const kinds = Object.keys(purchases) as (keyof typeof purchases)[];
const EACH = 20;

it('every order ends as in a trial, and its money and its parcel move once', async () => {
  const workflows = [order, shipment];
  const options = { databaseUrl: db.url, workflows, pollMs: 50, leaseMs: 60_000 };
  for (let n = 0; n < 2; n++) runners.push(await runWorkflows(options));
  const sent = kinds.flatMap((kind) =>
    Array.from({ length: EACH }, (_, n) => ({ id: `${kind}-${n}`, command: placing(kind) })),
  );
  const lost = Array.from({ length: EACH }, (_, n) => ({
    id: `lost-${n}`,
    command: { type: 'cancel' } as const,
  }));
  const outcomes = await client.sendAll(order, sent);
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
  await until(
    `select from event where workflow = 'shipment' and type = 'requested'`,
    (kinds.length - 1) * EACH,
  ); // not for declined cards
  await client.sendAll(order, lost);
  await until(`select from workflow where status = 'completed'`, (2 * kinds.length - 1) * EACH);
  for (const kind of kinds) {
    const expected = await historyInTestEnvironment(kind);
    for (let n = 0; n < EACH; n++) expect(await historyOf(`${kind}-${n}`)).toEqual(expected);
  }
  expect(
    await query('select order_id from bank_movement group by order_id, kind having count(*) > 1'),
  ).toEqual([]);
  expect(await query('select shipment_id from carrier_parcel where cardinality(keys) > 1')).toEqual([]);
});

function placing(kind: keyof typeof purchases): OrderCommand {
  return { type: 'place', cents: 4200, ...purchases[kind] };
}

async function historyInTestEnvironment(kind: keyof typeof purchases): Promise<string[]> {
  const actions = { chargeCard, refundCard, bookCarrier, callOffCarrier };
  const world = testEnvironment(order, shipment, { actions });
  const id = `trial-${kind}`;
  await world.send(id, placing(kind));
  if (kind === 'lost') await world.send(id, { type: 'cancel' });
  await world.advance({ hours: 1 });
  expect(world.status(id)).toBe('completed');
  return [...world.events(id), ...world.of(shipment).events(id)].map(({ type }) => type);
}

async function historyOf(id: string): Promise<string[]> {
  const rows = await query<{ type: string }>(
    `select type from event join workflow on key = workflow_key where id = $1 order by name, event.version`,
    [id],
  );
  return rows.map(({ type }) => type);
}

async function until(sql: string, count: number): Promise<void> {
  await waitUntil(`${count} rows of ${sql}`, async () => (await query(sql)).length >= count);
}
