/**
 * Runners of versions 1 and 2 of a workflow's code together, for a while: both are sent commands by clients of either version, runners are
 * killed and replaced, and now and then there is none of version 2. Afterwards nothing was processed by code that does not know it,
 * and everything was processed once and in order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withRetry } from '../../../src/base/retry.ts';
import { type Database, many, one } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { handleCommands } from '../../../src/workflows/commands/handle.ts';
import { temporaryFolder } from '../database.ts';
import { exited } from '../processes.ts';
import { CHECKOUT } from '../seine.ts';
import { randomFrom } from '../tree.ts';
import { waitFor } from '../wait-for.ts';
import { VERSIONED_TABLES, versioned } from './versioned.ts';

export interface Mixing {
  readonly forMs: number;
  /** Each has a runner of either version; null: slots. */
  readonly partitions: readonly (string | null)[];
  readonly seed?: number;
}

export interface Mixed {
  readonly kills: number;
  /** Times without any runner of version 2. */
  readonly rollbacks: number;
  readonly events: number;
  readonly eventsOfVersion2: number;
  /** Commands of clients of version 1 to workflows of version 2. */
  readonly refused: number;
  /** The most workflows that waited for version 2 at once. */
  readonly waited: number;
  readonly actionsBy: Readonly<Record<string, number>>;
  /** Empty if everything is as it must be. */
  readonly faults: readonly string[];
}

const LEASE_MS = 1000;
const KILL_EVERY_MS = 1500;
const SEND_EVERY_MS = 150;
const WORKFLOWS = 150;
/** Of these many commands one is sent by a client of version 2, so that workflows of version 1 are there to the end. */
const NEW_EVERY = 4;
const OUTAGE_MS = 10_000;

interface Slot {
  readonly version: number;
  readonly partition: string | null;
  process: ChildProcess | null;
}

export async function mixVersions({ forMs, partitions, seed = 1 }: Mixing): Promise<Mixed> {
  const folder = temporaryFolder();
  const data = join(folder, 'seine');
  const db = await openDatabase({ dataFolder: data, max: 6 });
  const mix = new Mix(db, data, partitions, randomFrom(seed));
  try {
    await migrate(db);
    await db.query(VERSIONED_TABLES);
    return await mix.play(forMs);
  } finally {
    await mix.killAll();
    await db.close();
    rmSync(join(data, 'postgres.json'), { force: true }); // the keeper takes that for the end
    await exited(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Mix {
  readonly #db: Database;
  readonly #data: string;
  readonly #slots: Slot[];
  readonly #random: () => number;
  #kills = 0;
  #rollbacks = 0;
  #refused = 0;
  #waited = 0;
  #batch = 0;

  constructor(db: Database, data: string, partitions: Mixing['partitions'], random: () => number) {
    this.#db = db;
    this.#data = data;
    this.#random = random;
    this.#slots = [1, 2].flatMap((version) =>
      partitions.map((partition) => ({ version, partition, process: null })),
    );
  }

  async play(forMs: number): Promise<Mixed> {
    await Promise.all(this.#slots.map((slot) => this.#start(slot)));
    const end = performance.now() + forMs;
    const sending = this.#sendUntil(end);
    sending.catch(() => {}); // it is awaited below
    // A quarter of the time there is no version 2, in two pieces.
    for (const from of [0.2, 0.6]) {
      await this.#killUntil(end - forMs * (1 - from), () => true);
      await this.#rollBack(end - forMs * (1 - from - 0.125));
    }
    await this.#killUntil(end, () => true);
    await sending;
    return this.#audit(await this.#settled());
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#kill(slot)));
  }

  async #killUntil(end: number, which: (slot: Slot) => boolean): Promise<void> {
    while (performance.now() + KILL_EVERY_MS < end) {
      await sleep(KILL_EVERY_MS * (0.5 + this.#random()));
      const living = this.#slots.filter((slot) => slot.process && which(slot));
      const victim = living[Math.floor(this.#random() * living.length)]!;
      await this.#kill(victim);
      this.#kills += 1;
      await this.#start(victim);
    }
  }

  async #rollBack(end: number): Promise<void> {
    const newer = this.#slots.filter(({ version }) => version === 2);
    await Promise.all(newer.map((slot) => this.#kill(slot)));
    this.#kills += newer.length;
    this.#rollbacks += 1;
    await this.#killUntil(end, ({ version }) => version === 1);
    await Promise.all(newer.map((slot) => this.#start(slot)));
  }

  async #sendUntil(end: number): Promise<void> {
    while (performance.now() < end) {
      const version = this.#batch++ % NEW_EVERY === 0 ? 2 : 1;
      const ids = Array.from({ length: version === 2 ? 3 : 10 }, () => this.#someId());
      const commands = ids.map((id) => ({ tenant: 'default', id, command: { type: 'step' as const } }));
      const outcomes = await withRetry(() => handleCommands(this.#db, versioned(null, version), commands), {
        forMs: OUTAGE_MS,
      });
      this.#refused += outcomes.filter(({ outcome }) => outcome === 'failed').length;
      const { n } = await one<{ n: number }>(this.#db, 'select count(*) as n from deferred_reaction');
      this.#waited = Math.max(this.#waited, n);
      await sleep(SEND_EVERY_MS);
    }
  }

  /** New ones come all the time: those of version 1 would otherwise run out. */
  #someId(): string {
    return `w${Math.floor(this.#random() * WORKFLOWS) + Math.floor(this.#batch / 4)}`;
  }

  async #start(slot: Slot): Promise<void> {
    const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
    const NODE_COMPILE_CACHE = join(CHECKOUT, 'node_modules/.cache/seine');
    const words = [String(slot.version), ...(slot.partition === null ? [] : [slot.partition])];
    const child = spawn(
      process.execPath,
      [join(CHECKOUT, 'test/support/workflows/versioned-runner.ts'), ...words],
      {
        env: { PATH, HOME, NODE_COMPILE_CACHE, SEINE_DATA: this.#data, STEADY_LEASE_MS: String(LEASE_MS) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    slot.process = child;
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    await waitFor(this.#db, 'a runner to be ready', async () => {
      if (child.exitCode !== null) throw new Error(said);
      return said.includes('is ready') ? true : null;
    });
  }

  async #kill(slot: Slot): Promise<void> {
    const { process: child } = slot;
    slot.process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  #settled(): Promise<Audit> {
    return waitFor(this.#db, 'everything to be done', async () => {
      const audit = await auditOf(this.#db);
      return audit.left === 0 ? audit : null;
    });
  }

  async #audit(audit: Audit): Promise<Mixed> {
    const by = await many<{ version: number; n: number }>(
      this.#db,
      'select by_version as version, count(*) as n from outside group by 1 order by 1',
    );
    const { events, newer } = audit;
    return {
      kills: this.#kills,
      rollbacks: this.#rollbacks,
      events,
      eventsOfVersion2: newer,
      refused: this.#refused,
      waited: this.#waited,
      actionsBy: Object.fromEntries(by.map(({ version, n }) => [`version ${version}`, n])),
      faults: faultsOf(audit),
    };
  }
}

interface Audit {
  readonly left: number;
  readonly events: number;
  readonly newer: number;
  readonly steps: number;
  readonly actions: number;
  readonly effects: number;
  readonly results: number;
  readonly ticks: number;
  readonly disorder: number;
  readonly parked: number;
  readonly violations: number;
}

function auditOf(db: Database): Promise<Audit> {
  return one<Audit>(
    db,
    `select (select count(*) from workflow left join reaction on workflow_key = key
             where workflow.version > coalesce(reaction.version, 0))
            + (select count(*) from action where state in ('waiting', 'running'))
            + (select count(*) from message) + (select count(*) from deferred_reaction) as left,
            (select count(*) from event) as events,
            (select count(*) from event where schema = 2) as newer,
            (select count(*) from event where type = 'stepped') as steps,
            (select count(*) from action) as actions,
            (select count(*) from outside) as effects,
            (select count(*) from event where type = 'work.done') as results,
            (select count(distinct (workflow_key, (data->>'step')::bigint)) from event where type = 'ticked') as ticks,
            (select count(*) from (
               select version, lag(version, 1, 0::bigint) over (partition by workflow_key order by id) as before,
                      (input->>'events')::bigint as events
               from action) as a
             where version <= before or events <> version)
            + (select count(*) from event where type = 'ticked')
            - (select count(distinct (workflow_key, (data->>'step')::bigint)) from event where type = 'ticked') as disorder,
            (select count(*) from reaction where parked_at is not null)
            + (select count(*) from message where parked_at is not null) as parked,
            (select count(*) from violation) as violations`,
  );
}

function faultsOf(audit: Audit): string[] {
  const { steps, actions, effects, results, ticks, disorder, parked, violations, newer } = audit;
  const each: [string, number][] = [
    ['actions', actions],
    ['effects', effects],
    ['results', results],
    ['timers', ticks],
  ];
  return [
    ...(violations > 0 ? [`${violations} times older code was given what newer code had written`] : []),
    ...each.filter(([, n]) => n !== steps).map(([what, n]) => `${steps} steps had ${n} ${what}`),
    ...(disorder > 0 ? [`${disorder} actions or timers out of order or twice`] : []),
    ...(parked > 0 ? [`${parked} are parked`] : []),
    ...(newer === 0 ? ['there were no events of version 2'] : []),
  ];
}
