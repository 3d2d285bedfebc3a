/**
 * The primary is lost and its asynchronous standby takes over: commits that workers were told of have never happened, claims among
 * them. Whoever holds a lease that the database knows nothing of must not write into somebody else's.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, scaled } from '../benchmark.ts';
import { type Loss, type ReplicatedPostgres, startReplicatedPostgres } from '../replicated-postgres.ts';
import type { Result, Scenario } from './scenario.ts';
import { openStage, type Played, type Stage } from './stage.ts';

const WORKERS = 4;
const ROUNDS = 10;
/** Commits of so long are lost, at most; and so long nobody is at the address. */
const MOST_LOST_MS = 1500;
const MOST_AWAY_MS = 3000;
/** Small shards: claims all the time, so that some are among the lost commits. */
const CONFIG = 'plan:\n  min_objects_per_shard: 20\n  max_initial_shards: 2000\n  list_calls: 2000\n';

export function failoverScenarios(): Scenario[] {
  return [
    {
      name: 'failover',
      about:
        'the primary lost in mid-scan, its asynchronous standby promoted without the last commits; 10 times',
      play: ({ bench }) => failOverOften(bench),
    },
  ];
}

async function failOverOften(bench: Bench): Promise<Result> {
  const config = join(bench.folder, 'chaos-failover.yaml');
  writeFileSync(config, CONFIG);
  let servers: ReplicatedPostgres | null = null;
  const stage = await openStage(bench, 'chaos-failover', { SEINE_CONFIG: config }, async (folder) => {
    servers = await startReplicatedPostgres(folder);
    return servers;
  });
  try {
    return await rounds(stage, servers!);
  } finally {
    await stage.close();
  }
}

async function rounds(stage: Stage, servers: ReplicatedPostgres): Promise<Result> {
  const { cluster, bench, random } = stage;
  const objects = scaled(bench, 400_000, 60_000);
  const target = { target: `sim:tenants/${objects}/${bench.seed}`, objects };
  const losses: Loss[] = [];
  const scans: Played[] = [];
  let died = 0;
  await cluster.haveWorkers(WORKERS);
  await stage.calmSeconds(target);
  for (let round = 0; round < scaled(bench, ROUNDS, 2); round++) {
    await servers.addStandby();
    const played = await stage.scan(target, async ({ until, ended }) => {
      await until(objects * (0.05 + 0.7 * random.next()));
      servers.stallReplication();
      await sleep(MOST_LOST_MS * random.next());
      losses.push(await servers.failOver(MOST_AWAY_MS * random.next()));
      // A worker must wait for the new primary; one that ends is replaced, so that the scan can show what became of it.
      for (; !(await ended()); await sleep(200)) {
        died += WORKERS - cluster.workers.length;
        await cluster.haveWorkers(WORKERS);
      }
    });
    scans.push(played);
    bench.say(`    round ${round + 1}: ${shownLoss(losses.at(-1)!)}; ${played.outcome.status}`);
  }
  const sum = (of: keyof Loss) => losses.reduce((all, loss) => all + loss[of], 0);
  return {
    done: `${losses.length} failovers; lost ${sum('transactions')} transactions, ${sum('claims')} claims, ${sum('checkpoints')} checkpoints`,
    scans,
    also: [
      { holds: sum('transactions') > 0, what: 'failover: committed transactions were really lost' },
      { holds: sum('claims') > 0, what: 'failover: claims were among them' },
      { holds: died === 0, what: `failover: every worker waited for the new primary (${died} ended)` },
    ],
  };
}

function shownLoss({ bytes, transactions, claims, checkpoints }: Loss): string {
  return `lost ${bytes} bytes of WAL, ${transactions} transactions, ${claims} claims, ${checkpoints} checkpoints`;
}
