/** The scan's story in the event log, held against what the tables say at the end. */
import { many, one } from '../../src/db/database.ts';
import type { StoredEvent } from '../../src/events/event.ts';
import { readWorkflow } from '../../src/events/read-store.ts';
import { readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { type ScanState, scanWorkflow } from '../../src/scans/lifecycle/scan-workflow.ts';
import { fold, initialState } from '../../src/workflows/state/fold.ts';
import { readHead } from '../../src/workflows/workflow-store.ts';
import type { Stage, StagedScan } from './stage.ts';

export async function checkHistory({ world }: Stage, scan: StagedScan): Promise<string[]> {
  const head = await readHead(world.db, { tenant: scan.tenant, workflow: 'scan', id: String(scan.id) });
  if (head === null) return ['a scan has no history'];
  const events = await readWorkflow(world.db, head.key, 0, 10_000);
  const gap = events.findIndex(({ version }, n) => version !== n + 1);
  if (gap !== -1 || events.length !== head.version)
    return [`a story of ${head.version} has ${events.length} events`];
  return [...checkOrder(events), ...(await checkTotals(world, scan, events))];
}

/** Nothing before it was asked for, nothing done before it started, nothing after its end but a retry. */
function checkOrder(events: readonly StoredEvent[]): string[] {
  const types = events.map(({ type }) => type);
  const broken: string[] = [];
  if (types.indexOf('requested') !== 0 || types.lastIndexOf('requested') !== 0)
    broken.push(`a story begins with ${types[0]}`);
  const started = types.indexOf('started');
  if (types.lastIndexOf('started') !== started) broken.push('a scan was started twice');
  if (types.includes('shardCompleted') && !(started > 0 && started < types.indexOf('shardCompleted')))
    broken.push('a shard was completed before its scan was started');
  const after = types.find(
    (_, n) => isEnd(types[n - 1]) && types[n] !== 'reopened' && types[n] !== 'retried',
  );
  if (after !== undefined) broken.push(`after the end of the scan: ${after}`);
  if (types.some((type, n) => isEnd(type) && types[n - 1] !== 'finalizing'))
    broken.push('a scan ended that was not about to');
  return broken;
}

function isEnd(type: string | undefined): boolean {
  return type === 'finalized' || type === 'failed';
}

async function checkTotals(
  { db }: Stage['world'],
  scan: StagedScan,
  events: readonly StoredEvent[],
): Promise<string[]> {
  const state = fold(scanWorkflow, initialState(scanWorkflow), events).state as ScanState;
  const row = (await readScan(db, scan.id))!;
  const broken: string[] = [];
  const expect = (what: string, recorded: unknown, is: unknown) => {
    if (recorded !== is) broken.push(`${what}, as recorded: ${recorded}, not ${is}`);
  };
  const { rounds, forgotten } = await one<{ rounds: number; forgotten: boolean }>(
    db,
    'select reopen_count + 1 as rounds, exists (select 1 from rolled_up) as forgotten from scan where id = $1',
    [scan.id],
  );
  expect('the status', state.status, row.status);
  expect('ends', state.ends, rounds);
  if (forgotten) return broken; // all shards but the first
  const shards = await many<{ state: string; split: boolean; listed: number }>(
    db,
    'select state, parent is not null as split, listed from range_lease join shard on lease_id = id where group_id = $1',
    [scan.id],
  );
  const inState = (expected: string) => shards.filter((shard) => shard.state === expected);
  expect('shards', state.shards, shards.length);
  expect('completed shards', state.completed, inState('done').length);
  expect('failed shards', state.failed, inState('failed').length);
  expect('cancelled shards', state.cancelled, inState('cancelled').length);
  expect('splits', state.splits, shards.filter(({ split }) => split).length);
  expect(
    'objects of completed shards',
    state.listed,
    inState('done').reduce((sum, { listed }) => sum + listed, 0),
  );
  return broken;
}
