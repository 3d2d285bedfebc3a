/** How long the slots of a runner lie idle after `kill -9`: until the first reaction in one of them, by the database's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../examples/generator/random.ts';
import { type Database, many, one } from '../../src/db/database.ts';
import { scaled } from '../benchmark.ts';
import { seconds, table } from '../figures.ts';
import { percentile } from '../percentile.ts';
import { counting, EFFECTS } from './kinds.ts';
import { readFaults, settled, startLoad } from './load.ts';
import { Runners } from './runners.ts';
import type { Stage } from './stage.ts';

const RUNNERS = 3;
const LEASE_MS = 2000;
const PER_SECOND = 200;
const SETTINGS = { workflow: 'counting', leaseMs: LEASE_MS };

export async function measureTakeovers(stage: Stage): Promise<void> {
  const { bench } = stage;
  const { url, db } = await stage.openSeine('seine_takeovers');
  await db.query(EFFECTS);
  const runners = new Runners(url, stage.folder);
  const random = new Random(bench.seed, 'takeovers');
  const [first, all]: number[][] = [[], []];
  try {
    await runners.have(RUNNERS, SETTINGS);
    const load = startLoad(db, counting(null), PER_SECOND, 2000);
    for (let n = 0; n < scaled(bench, 20, 3); n++) {
      await sleep(LEASE_MS * (1.5 + random.next()));
      const killed = await killOne(db, runners);
      first!.push(killed.first);
      all!.push(killed.all);
      await runners.have(RUNNERS, SETTINGS); // only now: one that starts here would bury the dead at once
    }
    await load.stop();
    const ended = await settled(db, 'counting');
    const { skipped, missing } = await readFaults(db, 'counting');
    bench.check(
      ended && skipped === 0 && missing === 0,
      'after the kills: nothing skipped, every action had its effect',
    );
  } finally {
    await runners.stop();
    await db.close();
  }
  bench.log(
    `  ${first!.length} kills -9 of one of ${RUNNERS} runners, lease ${LEASE_MS / 1000} s, ${PER_SECOND} commands a second:`,
  );
  const row = (times: readonly number[]) => [0, 0.5, 1].map((part) => seconds(percentile(times, part)));
  bench.log(
    table([
      ['from the kill', 'min', 'median', 'max'],
      ['to the first reaction in its slots', ...row(first!)],
      ['until all of them are held again', ...row(all!)],
    ]),
  );
}

async function killOne(db: Database, runners: Runners): Promise<{ first: number; all: number }> {
  const victim = runners.all[0]!;
  victim.kill('SIGSTOP'); // so that nothing changes between the query and the kill
  const held = await many<{ lease: number; token: number; slot: number; now: Date }>(
    db,
    `select lease.id as lease, lease.fencing_token as token, reader.part as slot, clock() as now
     from range_lease as lease join reader on reader.lease_id = lease.id join worker on worker.id = lease.holder
     where worker.pid = $1 and lease.state = 'held'`,
    [victim.pid],
  );
  victim.kill('SIGKILL');
  await victim.ended;
  const { now } = held[0]!;
  const leases = held.map(({ lease }) => lease);
  const tokens = held.map(({ token }) => token);
  for (;;) {
    const { all } = await one<{ all: number | null }>(
      db,
      `select case when every(lease.fencing_token > was.fencing_token)
                then extract(epoch from max(claimed_at) - $3::timestamptz)::double precision end as all
       from range_lease as lease join unnest($1::bigint[], $2::bigint[]) as was(id, fencing_token) using (id)`,
      [leases, tokens, now],
    );
    if (all !== null)
      return {
        first: await firstReaction(
          db,
          held.map(({ slot }) => slot),
          now,
        ),
        all,
      };
    await sleep(10);
  }
}

/** An action that was written after the kill, for a workflow of these slots. */
async function firstReaction(db: Database, slots: readonly number[], since: Date): Promise<number> {
  for (;;) {
    const { first } = await one<{ first: number | null }>(
      db,
      `select extract(epoch from min(action.created_at) - $2::timestamptz)::double precision as first
       from action join workflow on workflow.key = action.workflow_key
       where action.created_at > $2 and mod(workflow.hash, 256) = any($1::integer[])`,
      [slots, since],
    );
    if (first !== null) return first;
    await sleep(10);
  }
}
