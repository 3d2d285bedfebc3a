/** Invariants that must hold after every run. Each violation is returned as a sentence. */
import { displayKey, type Key, keyFromBytes } from '../../src/base/key.ts';
import { type Database, many, one } from '../../src/db/database.ts';
import { readLeaseGroup } from '../../src/engine/leases/lease-group-store.ts';
import { readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { countLeftOut, coverageSums } from '../../src/scans/shard/shard-store.ts';
import { findingsOf, isFaulty, type Nature } from './bucket.ts';
import { checkHistory } from './check-history.ts';
import type { Stage, StagedScan } from './stage.ts';

export async function violatedInvariants(stage: Stage): Promise<string[]> {
  const { db, scheduler } = stage.world;
  if (scheduler.failures.length > 0) return [...scheduler.failures]; // it was broken off
  const broken = [...stage.broken];
  for (const { what } of await many<{ what: string }>(db, 'select what from violation limit 3', []))
    broken.push(what);
  broken.push(...(await writesOnlyByLeaders(stage)));
  for (const scan of stage.scans) {
    broken.push(...(await objectsExactlyOnce(stage, scan)), ...(await totalsMatch(stage, scan)));
    broken.push(...(await rangesTile(stage, scan)), ...(await endedOncePerRound(stage, scan)));
    broken.push(...(await deadLettersMatch(stage, scan)), ...(await checkHistory(stage, scan)));
  }
  return broken;
}

/** Dead, though nothing was wrong with it: its neighbourhood saw too many deaths. A person would try it again. */
export async function failedWithoutCause({ world }: Stage, scan: StagedScan): Promise<boolean> {
  const { cancelled } = (await readLeaseGroup(world.db, scan.id))!;
  if (cancelled > 0) return false;
  const rows = await objectsOf(world.db, scan);
  return rows.some(({ key, outcome }) => outcome === 'dead' && !isFaulty(scan.born.get(key)!));
}

async function writesOnlyByLeaders({ world }: Stage): Promise<string[]> {
  const { n } = await one<{ n: number }>(
    world.db,
    'select count(*) as n from led where worker is distinct from leader',
    [],
  );
  return n === 0 ? [] : ['a worker that did not lead wrote as leader'];
}

interface ObjectRow {
  readonly key: Key;
  readonly outcome: string;
  readonly findings: number;
}

async function objectsOf(db: Database, { id }: StagedScan): Promise<ObjectRow[]> {
  const rows = await many<{ key: Buffer; outcome: string; findings: number }>(
    db,
    `select key, outcome, (select count(*) from finding where object_id = object.id) as findings
     from object_result as object where scan_id = $1`,
    [id],
  );
  return rows.map((row) => ({ ...row, key: keyFromBytes(row.key) }));
}

/** Every object has the one row that its nature gives it: none lost, none twice, none invented. */
async function objectsExactlyOnce({ world }: Stage, scan: StagedScan): Promise<string[]> {
  const rows = await objectsOf(world.db, scan);
  const work = (await readLeaseGroup(world.db, scan.id))!;
  const whole = work.cancelled + work.failed === 0;
  const broken: string[] = [];
  const byKey = new Map(rows.map((row) => [row.key, row]));
  if (byKey.size !== rows.length) broken.push('an object has two rows');
  for (const key of byKey.keys()) if (!scan.born.has(key)) broken.push(`unknown object ${displayKey(key)}`);
  for (const [key, nature] of scan.natures) {
    const row = byKey.get(key);
    if (row ? !isExpectedOutcome(row, scan.born.get(key)!, nature, whole) : whole && nature !== 'clean')
      broken.push(
        `${displayKey(key)}, ${nature}, has ${row ? `a row: ${row.outcome}, ${row.findings} findings` : 'no row'}`,
      );
  }
  return broken;
}

/** A sick object may have been healed since, and inspected again or not. */
function isExpectedOutcome(
  { outcome, findings }: ObjectRow,
  born: Nature,
  nature: Nature,
  whole: boolean,
): boolean {
  if (outcome === 'dead') return findings === 0 && (isFaulty(born) || !whole);
  if (nature === 'hidden') return outcome === 'skipped' && findings === 0;
  return outcome === 'scanned' && findings > 0 && findings === findingsOf(nature) && !isFaulty(nature);
}

async function totalsMatch({ world }: Stage, scan: StagedScan): Promise<string[]> {
  const { listed, ledgered, dead } = await coverageSums(world.db, scan.id);
  const work = (await readLeaseGroup(world.db, scan.id))!;
  const rows = await objectsOf(world.db, scan);
  const entries = await inventoryEntries(world.db, scan.id);
  const broken: string[] = [];
  const expect = (what: string, is: number, should: number) => {
    if (is !== should) broken.push(`${what}: ${is}, not ${should}`);
  };
  const { left } = await one<{ left: number }>(
    world.db,
    'select count(*) as left from segmented_object where scan_id = $1',
    [scan.id],
  );
  if (work.cancelled === 0) expect('objects that are still read by parts', left, 0);
  expect('objects in the ledger, or cancelled between two parts', ledgered + left, listed);
  if (work.cancelled + work.failed === 0) expect('objects listed', listed, scan.keys.length);
  expect('dead objects in the ledger', dead, rows.filter((row) => row.outcome === 'dead').length);
  expect('shards that remain', work.remaining, 0);
  expect('objects in the inventory, or without a place there', entries + left, listed);
  return broken;
}

/** Those that the inventory vouches for, those that died once, and those that could not be listed. */
async function inventoryEntries(db: Database, scan: number): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select (select coalesce(sum(length(entries)), 0) / 16 from inventory_block where scan_id = $1)
          + (select count(*) from dead_letter where scan_id = $1 and kind = 'object')
          + (select count(*) from object_result where scan_id = $1 and outcome = 'skipped') as n`,
    [scan],
  );
  return n;
}

interface LeaseRow {
  readonly after_key: Buffer;
  readonly up_to: Buffer | null;
  readonly state: string;
  readonly kind: string;
  readonly forgotten: boolean;
}

/** No key is in zero or two shards, and every shard has ended. */
async function rangesTile({ world }: Stage, { id }: StagedScan): Promise<string[]> {
  const rows = await many<LeaseRow>(
    world.db,
    `select after_key, up_to, state, kind, exists (select 1 from rolled_up) as forgotten
     from range_lease join shard on lease_id = id
     where group_id = $1 order by after_key, up_to`,
    [id],
  );
  const open = rows.filter(({ state }) => state === 'waiting' || state === 'held');
  const broken = open.map(({ state }) => `a shard is ${state} after the end`);
  if (rows[0]?.forgotten) return broken; // all but the first
  let end: Key | null = '' as Key;
  for (const row of rows.filter(({ kind }) => kind === 'range')) {
    if (end === null || keyFromBytes(row.after_key) !== end) broken.push('two shards overlap or leave a gap');
    end = row.up_to && keyFromBytes(row.up_to);
  }
  if (end !== null) broken.push('the last shard does not reach the end');
  return broken;
}

/** As it should have ended, and for each end one clean-up and one job of each hook. */
async function endedOncePerRound({ world }: Stage, scan: StagedScan): Promise<string[]> {
  const row = (await readScan(world.db, scan.id))!;
  const work = (await readLeaseGroup(world.db, scan.id))!;
  const { dead } = await coverageSums(world.db, scan.id);
  const unread = dead + (await countLeftOut(world.db, scan.id));
  const should =
    work.cancelled > 0 ? 'cancelled' : work.failed > 0 ? 'failed' : unread > 0 ? 'incomplete' : 'completed';
  const { rounds, ends, hooks, again, failed, letters, undone } = await one<Record<string, number>>(
    world.db,
    `select (select reopen_count + 1 from scan where id = $1) as rounds,
            (select count(*) from sent where name = 'prune' and (data->>'scan')::bigint = $1) as ends,
            (select count(*) from sent where name = 'hook' and data->>'attempt' = '0' and (data->>'scan')::bigint = $1) as hooks,
            (select count(*) - count(distinct data) from sent where name = 'hook' and (data->>'scan')::bigint = $1) as again,
            (select count(*) from scan_hook where scan_id = $1 and state = 'failed') as failed,
            (select count(*) from dead_letter where scan_id = $1 and kind = 'job' and state = 'open') as letters,
            (select count(*) from scan_hook where scan_id = $1 and state = 'waiting') as undone`,
    [scan.id],
  );
  const broken = row.status === should ? [] : [`the scan is ${row.status}, not ${should}: ${row.error}`];
  if ((row.error === null) !== (should === 'completed')) broken.push(`a ${should} scan says: ${row.error}`);
  if (ends !== rounds) broken.push(`the scan ended ${ends} times in ${rounds} rounds`);
  if (hooks !== rounds! * scan.hooks || again !== 0)
    broken.push(`${hooks} jobs (and ${again} again) were sent for ${scan.hooks} hooks in ${rounds} rounds`);
  if (failed !== letters) broken.push(`${failed} hooks have failed, ${letters} letters say so`);
  if (undone !== 0) broken.push(`${undone} hooks still wait`);
  return broken;
}

/** Crashes that may be attributed to an object. */
const DEADLY: readonly string[] = [
  'crash before',
  'crash after',
  'statement lost',
  'answer lost',
  'server restarted',
  'pause beyond the lease',
  'killed by an object',
];

/** What is dead has an open letter, and only that. */
async function deadLettersMatch({ world, counts }: Stage, scan: StagedScan): Promise<string[]> {
  const letters = await many<{ kind: string; key: Buffer | null; state: string }>(
    world.db,
    'select kind, key, state from dead_letter where scan_id = $1',
    [scan.id],
  );
  const work = (await readLeaseGroup(world.db, scan.id))!;
  const keys = (state: string) =>
    letters
      .filter((letter) => letter.kind === 'object' && letter.state === state)
      .map(({ key }) => keyFromBytes(key!));
  const dead = (await objectsOf(world.db, scan))
    .filter(({ outcome }) => outcome === 'dead')
    .map(({ key }) => key);
  const broken: string[] = [];
  if (keys('open').sort().join() !== dead.sort().join())
    broken.push(`${dead.length} objects are dead, ${keys('open').length} letters are open`);
  const innocent = letters.filter(
    ({ kind, key }) => kind === 'object' && !isFaulty(scan.born.get(keyFromBytes(key!))!),
  );
  const deaths = DEADLY.reduce((sum, what) => sum + (counts[what] ?? 0), 0);
  if (3 * innocent.length > deaths)
    broken.push(`${innocent.length} objects were blamed for ${deaths} deaths`);
  if (letters.some(({ state }) => state === 'retrying'))
    broken.push('a dead letter is marked retrying but no retry is in progress');
  const all = letters.filter(({ kind }) => kind === 'object').map(({ key }) => keyFromBytes(key!));
  if (new Set(all).size !== all.length) broken.push('an object has two letters');
  if (work.failed > 0 && scan.wall === null)
    broken.push('a shard was given up, though nothing stood in its way');
  const shards = letters.filter(({ kind, state }) => kind === 'shard' && state === 'open').length;
  if (shards !== work.failed) broken.push(`${work.failed} shards have failed, ${shards} letters say so`);
  return broken;
}
