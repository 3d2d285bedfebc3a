/** One projection in one runner: holds its lease, reads the next events, applies them. The protocol is described in projection.ts. */
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
import {
  type KindsRead,
  type PartitionEvent,
  readKinds,
  readLastStableOffset,
} from '../../events/read-store.ts';
import { CountedAttempt } from '../user-code/counted-attempt.ts';
import { type Call, type CallLimits, guardTransaction, ProjectionError } from './apply.ts';
import { saveProgress } from './progress-store.ts';
import {
  definitionDiffers,
  isNewer,
  type Projection,
  type ProjectionRound,
  workflowsOf,
} from './projection.ts';
import {
  clearFailure,
  countedUpdate,
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

const IDLE: ProjectionRound = { waitMs: null };
/** Claims without progress before each attempt is counted in advance: the process of each holder crashed. */
const CAREFUL_AFTER = 3;
/** Failures at one event before the projection is parked. */
const PARK_AFTER = 5;
/** How often an idle projection advances to the last stable offset, so that it doesn't hold back the archive. */
const IDLE_ADVANCE_MS = 60_000;

/** Readers of the log wait for open transactions that have written: a long one would hold up every workflow. */
const BATCH_MS = 500;
const FIRST_BATCH = 10;
const CRASHED =
  'The process crashed on every attempt. Check for code that crashes it or exhausts its memory.';

export class Projector {
  readonly #db: Database;
  readonly #projection: Projection;
  readonly #options: ProjectorOptions;
  #held: HeldLease | null = null;
  #renewed = 0;
  /** Whether the difference was logged. */
  #differed = false;
  /** Maximum events in one transaction, adapted to the duration of the last ones. */
  #max = FIRST_BATCH;
  /** The event that needs newer code than this runner has. */
  #newer: string | null = null;
  #idleAdvancedAt = performance.now();
  readonly #counted = new CountedAttempt(PARK_AFTER);

  constructor(db: Database, projection: Projection, options: ProjectorOptions) {
    this.#db = db;
    this.#projection = projection;
    this.#options = options;
  }

  /** This runner can't continue it: one with newer code, or with another definition, must. */
  get isDeferredToNewer(): boolean {
    return this.#differed || this.#newer !== null;
  }

  /** The next round counts its attempt before it makes it; no other user code may run in the process meanwhile. */
  get isCareful(): boolean {
    return this.#held !== null && this.#held.claimsSinceProgress >= CAREFUL_AFTER;
  }

  async round(): Promise<ProjectionRound> {
    await this.#counted.uncount();
    const wasCareful = this.isCareful;
    const row = await this.#rowIfHeld();
    if (row === null) return IDLE;
    if (this.isCareful && !wasCareful) return { applied: 0 }; // claimed now: the caller must exclude other user code first
    if (row.parked) return IDLE;
    if (row.waitMs > 0) return { waitMs: row.waitMs };
    const { setup } = row;
    if (setup !== 'done')
      return this.#withCare(row, null, (attempts) => this.#setUp({ ...row, attempts }, setup));
    const { events: found, isSettled } = await this.#next();
    if (found.length === 0) return this.#advanceIdle(!isSettled);
    const steps = await inOrder(this.#db, this.#held!.id, found);
    const newer = steps.findIndex(({ event }) => isNewer(this.#projection, event));
    if (newer === 0) return this.#deferToNewer(steps[0]!.event);
    this.#newer = null;
    const max = this.isCareful ? 1 : this.#max;
    const end = Math.min(newer < 0 ? steps.length : newer, max);
    const passed = end === steps.length ? found.length : steps[end]!.n;
    return this.#withCare(row, steps[0]?.event ?? null, (attempts) =>
      this.#apply(attempts, found, steps.slice(0, end), passed),
    );
  }

  /**
   * Tries alone what crashed several holders, and counts the attempt in advance. After too many crashes it is parked without another attempt.
   */
  async #withCare(
    { attempts }: ProjectionRow,
    event: PartitionEvent | null,
    work: (attempts: number) => Promise<ProjectionRound>,
  ): Promise<ProjectionRound> {
    if (!this.isCareful) return work(attempts);
    const { name } = this.#projection;
    const counted = { name, lease: this.#held!.id, attempts, event };
    return this.#counted.run(countedUpdate(this.#db, counted), work, () =>
      this.#failed(new ProjectionError(event, new Error(CRASHED)), attempts),
    );
  }

  /** After an error the cursor is uncertain: the answer to a commit may have been lost. */
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
   * Null: another runner has the lease, or the definitions differ. The row is read after the lease was claimed: later changes revoke the lease, so a
   * definition that differs from the row's is never applied.
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

  /** Whether it reads the same workflows. If not, a runner with that definition must apply it. */
  async #isSame({ name, workflows }: ProjectionRow): Promise<boolean> {
    const own = workflowsOf(this.#projection);
    const differs = String(own) !== String(workflows);
    if (differs) await this.release();
    if (differs && !this.#differed) this.#options.say(definitionDiffers(name, own, workflows));
    this.#differed = differs;
    return !differs;
  }

  /** Renews its current lease: a rebuild replaces it. */
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

  #next(): Promise<KindsRead> {
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

  /** `passed`: how many of the events found the cursor then passes. */
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
      this.#max = Math.max(1, Math.floor(BATCH_MS / eachMs));
      return { applied: steps.length };
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      // Events before the failed one are applied without it; it is first in the next round. A failure at the end of the transaction names no event:
      // bisects until one is isolated.
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
      if (!moved)
        throw new SeineError('conflict', 'Another runner updates the projection now.', { retry: true });
      await work(tx, moved);
      return moved;
    });
    this.#renewed = performance.now();
  }

  async #failed(error: unknown, attempts: number): Promise<ProjectionRound> {
    if (!(error instanceof ProjectionError)) throw error;
    const { name } = this.#projection;
    const failures = this.isCareful ? attempts : attempts + 1; // in careful mode it was counted in advance
    const isParked = failures >= PARK_AFTER;
    const delayMs = isParked ? null : 50 + backoff(failures, { firstMs: 100, maxMs: 60_000 });
    const failure = { error: sanitizeText(error.message), event: error.event, attempts: failures, delayMs };
    await recordFailure(this.#db, { name, lease: this.#held!.id, ...failure });
    if (isParked) this.#options.say(`The projection ${name} is parked: ${error.message}`);
    return { waitMs: delayMs };
  }

  async #deferToNewer({ workflow, schema }: PartitionEvent): Promise<ProjectionRound> {
    const newer = `${workflow} has events of version ${schema}`;
    const { name } = this.#projection;
    if (this.#newer !== newer)
      this.#options.say(`The projection ${name} waits for a runner with newer code: ${newer}.`);
    this.#newer = newer;
    await this.release();
    return IDLE;
  }

  async #advanceIdle(isUnsettled: boolean): Promise<ProjectionRound> {
    const idle = { waitMs: null, isUnsettled };
    if (performance.now() - this.#idleAdvancedAt < IDLE_ADVANCE_MS) return idle;
    this.#idleAdvancedAt = performance.now();
    const stableOffset = await readLastStableOffset(this.#db);
    const { events } = await this.#next();
    const isBehind = compareOffsets(offsetFromKey(this.#held!.cursor), stableOffset) < 0;
    if (events.length === 0 && isBehind) await this.#write(stableOffset, async () => {});
    return idle;
  }
}
