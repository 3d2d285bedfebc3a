/**
 * Two runners and an operator who scales, in any order, each breaking off at any statement or not hearing the answer to a commit; and events
 * that are committed late. Whatever happens: no event is skipped, none is reacted to twice, and each workflow's come in order.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, one } from '../../db/database.ts';
import { readLastStableOffset } from '../../events/read-store.ts';
import { handleCommands } from '../commands/handle.ts';
import { tell } from '../effects.ts';
import { PartitionAssignment } from '../partitions/partition-assignment.ts';
import { type PartitionSpec, partitionSpecOf } from '../partitions/partitioning.ts';
import { readPartitioning } from '../partitions/partitioning-store.ts';
import { rescale } from '../partitions/scaling.ts';
import { errand } from '../runner/errand.fixture.ts';
import { Reactor } from './reactor.ts';

/** Of different partitions, of two as of three. */
const IDS = ['w0', 'w1', 'w5'];
const RUNS = 100;
const FEW_STATES = 2;

let db: Database & { url: string };
let runs = 0;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

/** The statement at which it fails; `lost`: it commits, but the answer is lost. */
type Trouble = { readonly at: number } | 'lost' | null;
type Step =
  | { readonly do: 'append'; readonly id: string; readonly events: number }
  | { readonly do: 'append late'; readonly id: string }
  | { readonly do: 'commit late' }
  | { readonly do: 'tend' | 'round' | 'quiet' | 'leave'; readonly who: number; readonly trouble: Trouble }
  /** Its leases expire, but it lives. */
  | { readonly do: 'stand still'; readonly who: number }
  | { readonly do: 'rescale'; readonly to: PartitionSpec; readonly trouble: Trouble };

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.record({ at: fc.integer({ min: 1, max: 14 }) }) },
  { weight: 1, arbitrary: fc.constant('lost' as const) },
);
const id = fc.constantFrom(...IDS);
const who = fc.integer({ min: 0, max: 1 });
const shape = fc.constantFrom<PartitionSpec>('slots', 1, 2, 3);
const atOnce = fc.constantFrom(1, 2, 100);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('append'), id, events: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('append late'), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('commit late') }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('tend'), who, trouble }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('round'), who, trouble }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('quiet', 'leave'), who, trouble }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stand still'), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rescale'), to: shape, trouble }) },
) as fc.Arbitrary<Step>;

it('two runners and any scaling, broken off anywhere: every event is reacted to once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      shape,
      atOnce,
      fc.array(step, { minLength: 5, maxLength: 30 }),
      async (first, max, steps) => {
        const play = new Play(`property${runs++}`, first, max);
        try {
          for (const one of steps) await play.take(one);
          await play.end();
          await play.check();
        } finally {
          await play.commitLate();
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);

interface Hand {
  readonly holder: string;
  readonly assignment: PartitionAssignment;
  readonly reactor: Reactor;
  /** Its way to the database, with whatever trouble there is now. */
  readonly line: { on: Database };
}

class Play {
  readonly #name: string;
  readonly #workflow;
  readonly #first: PartitionSpec;
  /** Events in one round. */
  readonly #max: number;
  readonly #runners: (Hand | null)[] = [null, null];
  #late: { readonly id: string; readonly go: () => void; readonly ended: Promise<void> } | null = null;

  constructor(name: string, first: PartitionSpec, max: number) {
    this.#name = name;
    this.#first = first;
    this.#max = max;
    this.#workflow = errand({
      name,
      // A message would show a second reaction, which an action would hide: it has a key.
      more: (event) =>
        event.type === 'asked' ? [tell({ name: `${name}-sink` }, 'sink', { type: 'hear' })] : [],
    });
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'append') return this.#append(step.id, step.events);
    if (step.do === 'append late') return this.#appendLate(step.id);
    if (step.do === 'commit late') return this.commitLate();
    if (step.do === 'rescale') return this.#rescale(step.to, step.trouble);
    const stepRunner = this.#runners[step.who] ?? (await this.#hire(step.who));
    this.#runners[step.who] = stepRunner;
    if (step.do === 'stand still') return this.#expire(stepRunner.holder);
    await this.#work(stepRunner, step.who, step.do, step.trouble);
  }

  async commitLate(): Promise<void> {
    this.#late?.go();
    await this.#late?.ended;
    this.#late = null;
  }

  /** The remaining work is done by runners without faults. */
  async end(): Promise<void> {
    await this.commitLate();
    for (const stepRunner of this.#runners) if (stepRunner) await this.#expire(stepRunner.holder);
    await settled();
    const shape = await this.#shape();
    for (let index = 0; index < (shape === 'slots' ? 1 : shape); index++) {
      const { assignment, reactor } = await this.#hire(index);
      await assignment.sync();
      await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    }
  }

  async check(): Promise<void> {
    const events = await many<{ id: string; version: number }>(
      db,
      `select id, event.version from event join workflow on key = workflow_key where workflow.name = $1 order by id, event.version`,
      [this.#name],
    );
    const actions = await many<{ id: string; version: number }>(
      db,
      `select workflow.id, action.version from action join workflow on key = workflow_key where workflow.name = $1 order by workflow.id, action.id`,
      [this.#name],
    );
    const { told } = await one<{ told: number }>(
      db,
      'select count(*) as told from message where workflow = $1',
      [`${this.#name}-sink`],
    );
    expect(actions).toEqual(events);
    expect(told).toBe(events.length);
  }

  async #work(
    { assignment, reactor, line, holder }: Hand,
    who: number,
    what: 'tend' | 'round' | 'quiet' | 'leave',
    trouble: Trouble,
  ): Promise<void> {
    line.on = troubled(trouble);
    try {
      if (what === 'tend') await assignment.sync();
      else if (what === 'round') await reactor.round();
      else if (what === 'quiet') await reactor.advanceIdle();
      else await assignment.releaseAll();
    } catch (error) {
      if (!(error instanceof SeineError)) throw error;
      const dies = error instanceof Crash || (error.kind === 'conflict' && !error.retry);
      if (dies) {
        await this.#expire(holder);
        this.#runners[who] = null;
        return;
      }
      reactor.reset();
      line.on = db;
      await assignment.reread();
    } finally {
      line.on = db;
    }
  }

  async #hire(who: number): Promise<Hand> {
    const shape = await this.#shape();
    const partition = shape === 'slots' ? null : { index: who % shape, total: shape };
    const holder = randomUUID();
    const line: Hand['line'] = { on: db };
    const through: Database = {
      ...db,
      query: (...asked) => line.on.query(...asked),
      tx: (work) => line.on.tx(work),
    };
    const assignment = new PartitionAssignment(through, {
      workflow: this.#name,
      version: 1,
      holder,
      ttlMs: 3_600_000,
      partition,
    });
    const options = { maxEvents: this.#max, parkAfter: 100, maxStates: FEW_STATES, onParked: () => {} };
    const reactor = new Reactor(through, this.#workflow, assignment, options);
    return { holder, line, assignment, reactor };
  }

  async #append(id: string, events: number): Promise<void> {
    const command = { tenant: 'default', id, command: { type: 'run', n: 1 } as never };
    await handleCommands(db, this.#workflow, Array(events).fill(command));
  }

  /** Its transaction has a number from now on; its event comes when it commits. */
  async #appendLate(id: string): Promise<void> {
    if (this.#late) return;
    const go = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const command = { tenant: 'default', id, command: { type: 'run', n: 2 } as never };
    const ended = db.tx(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      begun.resolve();
      await go.promise;
      await handleCommands(tx, this.#workflow, [command]);
    });
    await begun.promise;
    this.#late = { id, go: go.resolve, ended };
  }

  async #rescale(to: PartitionSpec, trouble: Trouble): Promise<void> {
    const layout = await readPartitioning(db, this.#name);
    if (!layout) return;
    await rescale(troubled(trouble), this.#name, partitionSpecOf(layout), to, { running: 'stop' }).catch(
      (error) => {
        if (!(error instanceof Crash) && !(error instanceof SeineError && error.retry)) throw error;
      },
    );
  }

  async #shape(): Promise<PartitionSpec> {
    const layout = await readPartitioning(db, this.#name);
    return layout ? partitionSpecOf(layout) : this.#first;
  }

  async #expire(holder: string): Promise<void> {
    await db.query(
      `update range_lease set expires_at = clock() - interval '1 second' where holder = $1 and state = 'held'`,
      [holder],
    );
  }
}

/** Its process is gone. */
class Crash extends SeineError {
  constructor() {
    super('internal', 'The process ended.');
  }
}

function troubled(trouble: Trouble): Database {
  if (trouble === null) return db;
  if (trouble !== 'lost')
    return faultyDatabase(db, async (statement) => {
      if (statement === trouble.at) throw new Crash();
    });
  return {
    ...db,
    tx: async (work) => {
      await db.tx(work);
      throw new SeineError('unavailable', 'The connection broke.', { retry: true });
    },
  };
}

/** What has been committed can be read: transactions of other tests may hide it for a moment. */
async function settled(): Promise<void> {
  const { xid } = await one<{ xid: string }>(
    db,
    'select coalesce(max(xid), 0::text::xid8) as xid from event',
  );
  await waitUntil(
    'every event to be readable',
    async () => (await readLastStableOffset(db)).xid >= BigInt(xid),
  );
}
