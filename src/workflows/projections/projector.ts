/** One projection in one runner: holds its lease, reads what is next, applies it. The protocol is told in projection.ts. */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import { claimLeaseById } from '../../engine/leases/claim-store.ts';
import {
  checkpointLeases,
  releaseLeases,
  renewLeases,
  rereadLeases,
} from '../../engine/leases/cursor-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { compareOffsets, type Offset, offsetFromKey, offsetKey } from '../../events/offset.ts';
import { type PartitionEvent, readKinds, readLastStableOffset } from '../../events/read-store.ts';
import { type Call, type CallLimits, guardTransaction, ProjectionError } from './apply.ts';
import { saveProgress } from './progress-store.ts';
import { isNewer, missingFrom, type Projection, workflowsOf } from './projection.ts';
import {
  clearFailure,
  type ProjectionRow,
  readProjection,
  recordFailure,
  recordSetup,
} from './projection-store.ts';
import { inOrder, type SequencedEvent } from './sequence.ts';

export interface ProjectorOptions {
  readonly holder: string;
  readonly ttlMs: number;
  readonly say: (sentence: string) => void;
  readonly limits?: CallLimits;
}

/** What a round did. Without work to do: when to look again at the latest; null: nothing says when. */
export type ProjectionRound = { readonly applied: number } | { readonly waitMs: number | null };

const IDLE: ProjectionRound = { waitMs: null };
/** Claims without progress until each attempt is counted before it is made: the process of each holder ended. */
const CAREFUL_AFTER = 3;
/** Failures at one event until the projection is parked. */
const PARK_AFTER = 5;
/** A part that is quiet goes on to where nothing can come any more, so that no old event is kept for its sake. */
const IDLE_ADVANCE_MS = 60_000;

/** No reader of the log passes a transaction that has written: a long one would hold up every workflow. */
const BATCH_MS = 500;
const FIRST_BATCH = 10;

export class Projector {
  readonly #db: Database;
  readonly #projection: Projection;
  readonly #options: ProjectorOptions;
  #held: HeldLease | null = null;
  #renewed = 0;
  /** Whether that was said. */
  #differed = false;
  /** Events in one transaction, by what the last ones took. */
  #most = FIRST_BATCH;
  /** The event that needs newer code than this runner has. */
  #newer: string | null = null;
  #idleAdvancedAt = performance.now();

  constructor(db: Database, projection: Projection, options: ProjectorOptions) {
    this.#db = db;
    this.#projection = projection;
    this.#options = options;
  }

  /** This runner cannot go on with it: another one with newer code, or with another definition, must. */
  get isDeferredToNewer(): boolean {
    return this.#differed || this.#newer !== null;
  }

  /** The next round counts its attempt before it makes it: no other user code may run in the process meanwhile. */
  get isCareful(): boolean {
    return this.#held !== null && this.#held.claimsSinceProgress >= CAREFUL_AFTER;
  }

  async round(): Promise<ProjectionRound> {
    const row = await this.#rowIfHeld();
    if (row === null) return IDLE;
    if (row.parked) return IDLE;
    if (row.waitMs > 0) return { waitMs: row.waitMs };
    const { setup } = row;
    if (setup !== 'done')
      return this.#withCare(row, null, (attempts) => this.#setUp({ ...row, attempts }, setup));
    const found = await this.#next();
    if (found.length === 0) return this.#advanceIdle();
    const steps = await inOrder(this.#db, this.#held!.id, found);
    const newer = steps.findIndex(({ event }) => isNewer(this.#projection, event));
    if (newer === 0) return this.#deferToNewer(steps[0]!.event);
    this.#newer = null;
    const most = this.isCareful ? 1 : this.#most;
    const end = Math.min(newer < 0 ? steps.length : newer, most);
    const passed = end === steps.length ? found.length : steps[end]!.n;
    return this.#withCare(row, steps[0]?.event ?? null, (attempts) =>
      this.#apply(attempts, found, steps.slice(0, end), passed),
    );
  }

  /**
   * What ended the process of several holders is tried alone, and counted before. One that ended it too often is parked without another try.
   */
  async #withCare(
    { attempts }: ProjectionRow,
    event: PartitionEvent | null,
    work: (attempts: number) => Promise<ProjectionRound>,
  ): Promise<ProjectionRound> {
    if (!this.isCareful) return work(attempts);
    if (attempts >= PARK_AFTER) {
      const cause = new Error('The process ended each time. What ends it, or needs more memory than it has?');
      return this.#failed(new ProjectionError(event, cause), attempts);
    }
    const { name } = this.#projection;
    const error = 'The process ended meanwhile.';
    await recordFailure(this.#db, {
      name,
      lease: this.#held!.id,
      error,
      event,
      attempts: attempts + 1,
      delayMs: 0,
    });
    return work(attempts + 1);
  }

  /** After an error it is not certain where it stands: the answer to a commit may have been lost. */
  async reread(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held) this.#held = (await rereadLeases(this.#db, [held]))[0] ?? null;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held) await this.#db.tx((tx) => releaseLeases(tx, [held]));
  }

  /**
   * Null: another runner has it, or its definition is another one. The row is read after the lease was claimed: what changes later takes the
   * lease away, so a definition that differs from the row's is never applied.
   */
  async #rowIfHeld(): Promise<ProjectionRow | null> {
    const { name } = this.#projection;
    const row = await readProjection(this.#db, name);
    if (row === null || !(await this.#isSame(row))) return null;
    if (await this.#keep(row)) return row;
    if (!(await this.#claim(row))) return null;
    const claimed = await readProjection(this.#db, name);
    if (claimed === null || claimed.lease !== row.lease || !(await this.#isSame(claimed))) return null;
    this.#options.say(`The projection ${name} is updated by this runner.`);
    return claimed;
  }

  /** Whether it reads the same workflows. Otherwise a runner with that definition is to have it. */
  async #isSame({ name, workflows }: ProjectionRow): Promise<boolean> {
    const own = workflowsOf(this.#projection);
    const differs = String(own) !== String(workflows);
    if (differs) await this.release();
    if (differs && !this.#differed) {
      const lacking = missingFrom(own, workflows);
      this.#options.say(
        lacking.length > 0
          ? `The projection ${name} is not updated by this runner: its definition here does not read ${lacking.join(', ')}, but that of a runner before did. If that is no longer wanted: end the runners with that definition, seine workflows projections remove ${name}, drop its tables, start the runners again.`
          : `The projection ${name} is not updated by this runner: it was begun anew without ${missingFrom(workflows, own).join(', ')}. Start this runner again to add that.`,
      );
    }
    this.#differed = differs;
    return !differs;
  }

  /** Its present lease: a rebuild began another one. */
  async #keep({ lease }: ProjectionRow): Promise<boolean> {
    const { ttlMs } = this.#options;
    if (this.#held?.id !== lease) this.#held = null;
    if (this.#held && performance.now() - this.#renewed > ttlMs / 3) {
      if (!(await renewLeases(this.#db, [this.#held], ttlMs)).has(lease)) this.#held = null;
      this.#renewed = performance.now();
    }
    return this.#held !== null;
  }

  async #claim({ lease }: ProjectionRow): Promise<boolean> {
    const { holder, ttlMs } = this.#options;
    this.#held = await claimLeaseById(this.#db, lease, holder, ttlMs);
    this.#renewed = performance.now();
    return this.#held !== null;
  }

  #next(): Promise<PartitionEvent[]> {
    const { batch } = this.#projection;
    return readKinds(this.#db, workflowsOf(this.#projection), offsetFromKey(this.#held!.cursor), batch);
  }

  async #setUp({ name, attempts }: ProjectionRow, setup: 'init' | 'reset'): Promise<ProjectionRound> {
    const { init, reset } = this.#projection;
    try {
      await this.#write(offsetFromKey(this.#held!.cursor), async (tx) => {
        const both = async (call: Call) => {
          if (setup === 'reset') await call(null, (guarded) => reset(guarded));
          await call(null, (guarded) => init(guarded));
        };
        await guardTransaction(tx, both, this.#options.limits);
        await recordSetup(tx, name);
        if (attempts > 0) await clearFailure(tx, name);
      });
      return { applied: 0 };
    } catch (error) {
      return this.#failed(error, attempts);
    }
  }

  /** `passed`: how many of the events that were found are behind it then. */
  async #apply(
    attempts: number,
    found: readonly PartitionEvent[],
    steps: readonly SequencedEvent[],
    passed: number,
  ): Promise<ProjectionRound> {
    const to = found[passed - 1]?.offset ?? offsetFromKey(this.#held!.cursor);
    let at = 0;
    const began = performance.now();
    try {
      await this.#write(to, async (tx, { id }) => {
        const all = async (call: Call) => {
          for (at = 0; at < steps.length; at++) await call(steps[at]!.event, this.#projection);
        };
        await guardTransaction(tx, all, this.#options.limits);
        await saveProgress(tx, id, new Map(steps.map(({ event }) => [event.workflowKey, event.version])));
        if (attempts > 0) await clearFailure(tx, this.#projection.name);
      });
      const eachMs = (performance.now() - began) / Math.max(1, steps.length);
      this.#most = Math.max(1, Math.floor(BATCH_MS / eachMs));
      return { applied: steps.length };
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      // What came before the event that failed is applied without it; the event is first in the next round. What failed at the end of
      // the transaction names no event: half of them is tried, until one stands alone.
      const fewer = at < steps.length ? at : Math.floor(steps.length / 2);
      if (fewer > 0) return this.#apply(attempts, found, steps.slice(0, fewer), steps[fewer]!.n);
      return this.#failed(new ProjectionError(steps[0]?.event ?? null, error.cause), attempts);
    }
  }

  /** The cursor first: it is the fence. */
  async #write(to: Offset, work: (tx: Tx, held: HeldLease) => Promise<void>): Promise<void> {
    const before = this.#held!;
    this.#held = await this.#db.tx(async (tx) => {
      const [moved] = await checkpointLeases(
        tx,
        [{ held: before, cursor: offsetKey(to) }],
        this.#options.ttlMs,
      );
      if (!moved) throw new LeaseLost();
      await work(tx, moved);
      return moved;
    });
    this.#renewed = performance.now();
  }

  async #failed(error: unknown, attempts: number): Promise<ProjectionRound> {
    if (!(error instanceof ProjectionError)) throw error;
    const { name } = this.#projection;
    const { event } = error;
    const failures = this.isCareful ? attempts : attempts + 1; // with care it was counted before
    const isParked = failures >= PARK_AFTER;
    const delayMs = isParked ? null : 50 + backoff(failures, { firstMs: 100, mostMs: 60_000 });
    await recordFailure(this.#db, {
      name,
      lease: this.#held!.id,
      error: sanitizeText(error.message),
      event,
      attempts: failures,
      delayMs,
    });
    if (isParked) this.#options.say(`The projection ${name} is parked: ${error.message}`);
    return { waitMs: delayMs };
  }

  async #deferToNewer({ workflow, schema }: PartitionEvent): Promise<ProjectionRound> {
    const newer = `${workflow} has events of version ${schema}`;
    if (this.#newer !== newer)
      this.#options.say(
        `The projection ${this.#projection.name} waits for a runner with newer code: ${newer}.`,
      );
    this.#newer = newer;
    await this.release();
    return IDLE;
  }

  async #advanceIdle(): Promise<ProjectionRound> {
    if (performance.now() - this.#idleAdvancedAt < IDLE_ADVANCE_MS) return IDLE;
    this.#idleAdvancedAt = performance.now();
    const horizon = await readLastStableOffset(this.#db);
    if ((await this.#next()).length === 0 && compareOffsets(offsetFromKey(this.#held!.cursor), horizon) < 0)
      await this.#write(horizon, async () => {});
    return IDLE;
  }
}

class LeaseLost extends SeineError {
  constructor() {
    super('conflict', 'Another runner updates the projection now.', { retry: true });
  }
}
