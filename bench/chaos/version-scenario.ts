/**
 * Workers of two versions on one database, as during a rolling update: the old ones start first, the new ones bring the schema
 * up to date under them, both process scans that either has started, and are killed. The old version counts as one with other
 * detectors: what only its workers inspected is not in the inventory of the new one.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { one } from '../../src/db/database.ts';
import type { Running } from '../../test/support/seine.ts';
import { type FaultContext, withFault } from '../../test/support/with-fault.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { scanOutcome } from '../scan-outcome.ts';
import { checkOut, type OtherVersion } from './other-version.ts';
import type { Result, Scenario } from './scenario.ts';
import { isComplete, openStage, type Played, type Stage, type Target } from './stage.ts';

const OLD_WORKERS = 4;
const NEW_WORKERS = 3;
const KILL_EVERY_MS = 2000;
/** Old workers that leave a scan of the new version alone are not waited for. */
const TAKES_PART_WITHIN_MS = 15_000;
const WAIT_TIMEOUT_MS = 10 * 60_000;

export function versionScenarios(): Scenario[] {
  return [
    {
      name: 'versions',
      about:
        'workers of this version and of an earlier one (--ref) on one database, through the migration, with kills',
      play: ({ bench }) => mixedVersions(bench),
    },
  ];
}

async function mixedVersions(bench: Bench): Promise<Result> {
  const old = checkOut(join(bench.folder, 'old-version'), bench.ref);
  bench.log(`    old: ${old.commit.slice(0, 12)}, ${old.migrations} migrations behind`);
  const stage = await openStage(bench, 'chaos-versions');
  try {
    return await new Update(stage, old).play();
  } finally {
    await stage.close();
  }
}

class Update {
  readonly #stage: Stage;
  readonly #old: OtherVersion;
  readonly #what: Target;
  #oldWorkers: Running[] = [];
  #kills = 0;

  constructor(stage: Stage, old: OtherVersion) {
    const objects = scaled(stage.bench, 200_000, 40_000);
    this.#stage = stage;
    this.#old = old;
    this.#what = { target: `sim:tenants/${objects}/${stage.bench.seed}`, objects };
  }

  async play(): Promise<Result> {
    const { cluster } = this.#stage;
    for (let n = 0; n < OLD_WORKERS; n++)
      this.#oldWorkers.push(await cluster.addWorker([], { checkout: this.#old.folder }));
    const begunByOld = await this.#scan(this.#old.folder, (scene) => this.#bothWork(scene));
    const refusal = await this.#startOld();
    const begunByNew = await this.#scan(null, (scene) => this.#bothWork(scene));
    const survivors = this.#living().length;
    await this.#end(cluster.workers.filter((worker) => !this.#oldWorkers.includes(worker)));
    let onlyOld = 0;
    const poisoned = await this.#scan(null, async (scene) => {
      onlyOld = await this.#oldAlone(scene);
    });
    const unchanged = await this.#unchangedInNextScan();
    const calm = await this.#scan(null, async () => {});
    const played = [begunByOld, begunByNew, poisoned].map(({ outcome, seconds }): Played => {
      return { outcome, seconds, whole: isComplete(outcome, calm.outcome, this.#what.objects) };
    });
    const max = this.#what.objects - onlyOld;
    return {
      done: `${this.#kills} kills; old workers alone did ${onlyOld}, then ${unchanged} unchanged`,
      scans: played,
      also: [
        { holds: survivors > 0, what: 'versions: the old worker that was not killed continues' },
        { holds: this.#kills > 0, what: 'versions: workers were killed while both versions worked' },
        {
          holds: unchanged <= max,
          what: `versions: ${unchanged} unchanged of at most ${max} that new workers saw`,
        },
        {
          holds: unchanged > 0 || max === 0,
          what: 'versions: what new workers saw is known to the next scan',
        },
        ...refusal,
      ],
    };
  }

  async #scan(
    checkout: string | null,
    fault: (scene: FaultContext) => Promise<void>,
  ): Promise<Omit<Played, 'whole'>> {
    const { cluster, receiver } = this.#stage;
    const run: typeof cluster.run = (args, options) =>
      cluster.run(args, checkout === null ? options : { ...options, checkout });
    const began = performance.now();
    const handing = { ...cluster, run };
    const outcome = await withFault(handing, receiver, this.#what.target, fault, {
      timeoutMs: WAIT_TIMEOUT_MS,
    });
    return { outcome, seconds: (performance.now() - began) / 1000 };
  }

  /** New workers join during the scan; any worker is killed except one of the old ones, and replaced by a new one. */
  async #bothWork({ until, ended }: FaultContext): Promise<void> {
    const { cluster, random } = this.#stage;
    await until(this.#what.objects / 10);
    await cluster.setWorkerCount(this.#living().length + NEW_WORKERS);
    while (!(await ended())) {
      const [spared] = this.#living();
      const victim = random.pick(cluster.workers.filter((worker) => worker !== spared));
      victim.kill('SIGKILL');
      await victim.ended;
      this.#kills++;
      await cluster.setWorkerCount(this.#living().length + NEW_WORKERS);
      await sleep(KILL_EVERY_MS);
    }
  }

  /** Old workers start a scan of the new version alone, then new ones replace them. Returns how many objects the old ones processed. */
  async #oldAlone({ scan, progress }: FaultContext): Promise<number> {
    const { cluster } = this.#stage;
    let done = 0;
    for (
      const deadline = Date.now() + TAKES_PART_WITHIN_MS;
      Date.now() < deadline && done < this.#what.objects / 2;
      await sleep(50)
    )
      done = await progress();
    await this.#end([...cluster.workers]);
    done = await progress();
    this.#stage.bench.log(`    scan ${scan}: old workers alone did ${done} objects`);
    await cluster.setWorkerCount(NEW_WORKERS);
    return done;
  }

  async #end(workers: readonly Running[]): Promise<void> {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map((worker) => worker.ended));
  }

  #living(): Running[] {
    return this.#oldWorkers.filter((worker) => this.#stage.cluster.workers.includes(worker));
  }

  /** A process of the old version that starts now fails because the database is newer. */
  async #startOld(): Promise<{ holds: boolean; what: string }[]> {
    if (this.#old.migrations === 0) return [];
    const options = { checkout: this.#old.folder, timeoutMs: 60_000 };
    const { code, stderr } = await this.#stage.cluster.run(['worker', '--until-idle'], options);
    const holds = code !== 0 && stderr.includes('The database is newer than this Seine');
    return [{ holds, what: `versions: an old process that starts now is refused with a reason (${code})` }];
  }

  async #unchangedInNextScan(): Promise<number> {
    const { cluster } = this.#stage;
    const scan = await cluster.submit(this.#what.target);
    await scanOutcome(cluster.db, scan);
    const { unchanged } = await one<{ unchanged: number }>(
      cluster.db,
      `select coalesce(sum(objects), 0)::bigint as unchanged from ledger where scan_id = $1 and outcome = 'unchanged'`,
      [scan],
    );
    return unchanged;
  }
}
