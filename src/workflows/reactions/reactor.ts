/**
 * One round of reactions: read the next events of the partitions held here, react, and write effects, progress and offsets in one transaction.
 *
 * Two positions guard each event. The partition's offset says where to read next; the workflow's own `reaction.version` says which events were reacted
 * to, and is authoritative: a repeated event (another partitioning, a commit with a lost answer) is skipped, and a missing one is fetched from the
 * workflow's history. So each event is reacted to once and in order, whatever happens to offsets.
 *
 * A reaction that throws delays its workflow, with the error: it is retried with backoff, then parked. The same holds for a history that can't be
 * folded and an effect that the database rejects. Other workflows and the offset are unaffected. If an event crashes the process, the partition is
 * claimed repeatedly without progress; its next holder then processes one event at a time and counts each attempt before it starts.
 */
import type { Database } from '../../db/database.ts';
import { isRejectedData } from '../../db/rejected-data.ts';
import {
  type EventWithProgress,
  type PartitionEvent,
  type PartitionRead,
  readLastStableOffset,
} from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import type { PartitionAssignment } from '../partitions/partition-assignment.ts';
import { CountedAttempt } from '../user-code/counted-attempt.ts';
import { EventLoopShare } from '../user-code/event-loop-share.ts';
import type { Deferred } from '../versions/deferred-store.ts';
import { endsTheProcess, failedAt, rejectedEffects } from './failed-reaction.ts';
import {
  type AssignedTask,
  dueTasks,
  fetchNext,
  loadStates,
  MIN_EVENTS_EACH,
  toTasks,
  type UnloadedTask,
} from './fetch-events.ts';
import { type ReactionResult, reactTo } from './react.ts';
import { EMPTY_ROUND, isSuspect, mergeRounds, type ReactionRound, readBefore } from './reaction-round.ts';
import { countedReaction } from './reaction-store.ts';
import { StateCache } from './state-cache.ts';
import { RoundWriter } from './write-round.ts';

export interface ReactorOptions {
  /** Maximum events in one round. */
  readonly maxEvents: number;
  /** Failures at one event before its workflow is parked. */
  readonly parkAfter: number;
  /** Maximum states cached between rounds. */
  readonly maxStates: number;
  readonly onParked: (id: string, error: string) => void;
  /** Called after a reaction that crashes the process was found. */
  readonly onConvicted?: () => Promise<void>;
  /** Time limit for the reactions of one round (1 s); the rest follow in the next. */
  readonly budgetMs?: number;
}

type PartitionOffsets = PartitionAssignment['partitionOffsets'];

const BUDGET_MS = 1000;
/** Workflows whose states are read by one statement. */
const LOAD_BATCH = 200;

export class Reactor {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #partitions: PartitionAssignment;
  readonly #options: ReactorOptions;
  readonly #cache: StateCache;
  readonly #writer: RoundWriter;
  readonly #counted: CountedAttempt;
  #rotation = 0;

  constructor(db: Database, workflow: AnyWorkflow, partitions: PartitionAssignment, options: ReactorOptions) {
    this.#db = db;
    this.#workflow = workflow;
    this.#partitions = partitions;
    this.#options = options;
    this.#cache = new StateCache(options.maxStates);
    this.#counted = new CountedAttempt(options.parkAfter);
    this.#writer = new RoundWriter(db, workflow, partitions, options.parkAfter);
  }

  /** Clears cached state, which may be stale. */
  reset(): void {
    this.#cache.clear();
  }

  /** The next round counts attempts before it makes them; no other user code may run in the process meanwhile. */
  get isCareful(): boolean {
    return this.#partitions.partitionOffsets.some(isSuspect);
  }

  async round(): Promise<ReactionRound> {
    await this.#counted.takeBack();
    const { partitionOffsets, assigned } = this.#partitions;
    if (partitionOffsets.length === 0) return EMPTY_ROUND;
    const suspects = partitionOffsets.filter(isSuspect);
    if (suspects.length > 0) return this.#carefulRound(partitionOffsets, suspects);
    const { maxEvents } = this.#options;
    const { events, hasDue, isSettled } = await this.#read(this.#rotate(partitionOffsets), maxEvents);
    const again = hasDue ? await dueTasks(this.#db, this.#workflow, assigned) : [];
    const round = await this.#react(events, again);
    const isRead = again.length === 0 && events.length < Math.min(MIN_EVENTS_EACH, maxEvents);
    const isDrained = isSettled && isRead && !round.isPartial && round.needNewer === 0;
    return { ...round, isUnsettled: !isSettled, isDrained };
  }

  async #react(found: readonly EventWithProgress[], again: readonly UnloadedTask[]): Promise<ReactionRound> {
    const { tasks: fresh, deferred } = await toTasks(this.#db, this.#workflow, found, again);
    const reacted = await this.#reactToAll([...again, ...fresh]);
    const unread = fresh.slice(Math.max(0, reacted.length - again.length)).map(({ key }) => key);
    const round = await this.#write(readBefore(found, new Set(unread)), reacted, deferred);
    const isPartial = round.isPartial || unread.length > 0 || reacted.some(({ task }) => task.more);
    return { ...round, isPartial };
  }

  /** Stops at the time limit but processes at least one: user code of one round must not outlast the leases. */
  async #reactToAll(tasks: readonly UnloadedTask[]): Promise<ReactionResult<AssignedTask>[]> {
    const until = this.#until();
    const reacted: ReactionResult<AssignedTask>[] = [];
    const share = new EventLoopShare();
    for (let n = 0; n < tasks.length; n += LOAD_BATCH) {
      for (const task of await loadStates(
        this.#db,
        this.#workflow,
        tasks.slice(n, n + LOAD_BATCH),
        this.#cache,
      )) {
        if (reacted.length > 0 && performance.now() > until) return reacted;
        reacted.push(reactTo(this.#workflow, task, until));
        if (share.isUsed) await share.yieldNow();
      }
    }
    return reacted;
  }

  #until(): number {
    return performance.now() + (this.#options.budgetMs ?? BUDGET_MS);
  }

  /** Advances idle partitions to the last stable offset, so that they don't hold back the archive. */
  async advanceIdle(positions = this.#partitions.partitionOffsets): Promise<void> {
    const stableOffset = await readLastStableOffset(this.#db);
    const found = positions.length > 0 ? (await this.#read(positions, this.#options.maxEvents)).events : [];
    if (found.length >= this.#options.maxEvents) return;
    const busy = new Set(found.map(({ part }) => part));
    const quiet = positions.filter(({ part, offset }) => !busy.has(part) && offset.xid < stableOffset.xid);
    if (quiet.length === 0) return;
    const offsets = new Map(quiet.map(({ part }) => [part, stableOffset]));
    this.#partitions.moved(await this.#db.tx((tx) => this.#partitions.move(tx, offsets)));
  }

  #read(positions: PartitionOffsets, max: number): Promise<PartitionRead> {
    return fetchNext(this.#db, this.#workflow.name, this.#partitions, positions, max);
  }

  /** A full round may skip partitions: the next round starts with another one. */
  #rotate(positions: PartitionOffsets): PartitionOffsets {
    const first = this.#rotation++ % positions.length;
    return [...positions.slice(first), ...positions.slice(0, first)];
  }

  /** What may be the cause of crashes: the next event of the suspect partitions, and all retries. The others are reacted to together. */
  async #carefulRound(positions: PartitionOffsets, suspects: PartitionOffsets): Promise<ReactionRound> {
    const { events: found, isSettled } = await this.#read(suspects, 1);
    const isUnsettled = !isSettled;
    const again = await dueTasks(this.#db, this.#workflow, this.#partitions.assigned);
    if (found.length + again.length > 0)
      return { ...(await this.#reactIsolated(found, again, suspects)), isUnsettled };
    await this.advanceIdle(suspects); // without events there is no cause in them
    const others = positions.filter((place) => !suspects.includes(place));
    if (others.length === 0) return { ...EMPTY_ROUND, isUnsettled };
    const read = await this.#read(this.#rotate(others), this.#options.maxEvents);
    return { ...(await this.#react(read.events, [])), isUnsettled: isUnsettled || !read.isSettled };
  }

  /**
   * One event at a time: each attempt is counted before it is made, and each success is written before the next. Retries left at the time limit remain
   * due. The event found comes first, so the offset passes nothing that was not tried.
   */
  async #reactIsolated(
    found: readonly EventWithProgress[],
    again: readonly UnloadedTask[],
    suspects: PartitionOffsets,
  ): Promise<ReactionRound> {
    const until = this.#until();
    const { tasks: fresh, deferred } = await toTasks(this.#db, this.#workflow, found, again);
    const rounds: ReactionRound[] = [];
    let isLate = false;
    for (const task of [...fresh, ...again]) {
      isLate = rounds.length > 0 && performance.now() > until;
      if (isLate) break;
      rounds.push(...(await this.#oneWithCare(task)));
    }
    const passed = await this.#write(found, [], deferred);
    if (found.length === 0 && !isLate) await this.advanceIdle(suspects); // without events there is no cause in them
    const all = mergeRounds(rounds);
    return { ...all, events: Math.max(all.events, passed.events), needNewer: passed.needNewer };
  }

  /** Writes each event of a workflow in its own transaction, until one fails or the time limit: the rest is due at once. */
  async #oneByOne(
    task: AssignedTask,
    react: (task: AssignedTask) => ReactionResult<AssignedTask> | Promise<ReactionResult<AssignedTask>>,
  ): Promise<ReactionRound[]> {
    const rounds: ReactionRound[] = [];
    const until = this.#until();
    let { from, attempts } = task;
    for (const [n, event] of task.events.entries()) {
      if (n > 0 && performance.now() > until) break;
      const more = task.more || n < task.events.length - 1;
      const reacted = await react({ ...task, from, attempts, events: [event], more });
      rounds.push({ ...(await this.#write([], [reacted])), isPartial: more });
      if (reacted.failure) break;
      from = reacted.folded;
      attempts = 0;
    }
    return rounds;
  }

  /** Without events no user code runs. */
  async #oneWithCare(bare: UnloadedTask): Promise<ReactionRound[]> {
    const from = { version: bare.reacted, state: undefined };
    if (bare.events.length === 0)
      return [await this.#write([], [reactTo(this.#workflow, { ...bare, from })])];
    return this.#counted.run(
      countedReaction(this.#db, { key: bare.key, version: bare.reacted, attempts: bare.attempts }),
      (attempts) => this.#countedOneByOne(bare, attempts),
      async (attempts) => {
        const parked = await this.#write([], [failedAt({ ...bare, from, attempts }, endsTheProcess())]);
        await this.#options.onConvicted?.();
        return [parked];
      },
    );
  }

  /** The first attempt is counted before the state is folded, because folding runs user code too. */
  async #countedOneByOne(bare: UnloadedTask, first: number): Promise<ReactionRound[]> {
    let counted: number | null = first;
    const [task] = await loadStates(this.#db, this.#workflow, [bare], this.#cache);
    return this.#oneByOne(task!, async (one) => {
      const { key, from, attempts: before } = one;
      const next = () =>
        this.#counted.next(countedReaction(this.#db, { key, version: from.version, attempts: before }));
      const attempts = counted ?? (await next());
      counted = null;
      return reactTo(this.#workflow, { ...one, attempts: attempts - 1 }); // a failure counts it
    });
  }

  async #write(
    found: readonly PartitionEvent[],
    reacted: readonly ReactionResult<AssignedTask>[],
    deferred: readonly Deferred[] = [],
  ): Promise<ReactionRound> {
    try {
      const { written, parked, needNewer } = await this.#writer.write(found, reacted, deferred);
      for (const { task, folded, reactedEvents, failure } of reacted)
        if (failure !== null) this.#cache.forget(task.key);
        else if (reactedEvents.length > 0) this.#cache.keep(task.key, folded); // without events nothing was folded
      for (const { id, error } of parked) this.#options.onParked(id, error);
      const tried = reacted.map(
        ({ reactedEvents, failure }) => reactedEvents.length + (failure === null ? 0 : 1),
      );
      const events = tried.reduce((sum, n) => sum + n, 0) || found.length;
      return { events, written, needNewer };
    } catch (error) {
      if (!isRejectedData(error) || reacted.length === 0) throw error;
      return this.#writeApart(found, reacted, deferred, error);
    }
  }

  /**
   * The database rejected an effect: bisects until the workflow and then the event is isolated. That event fails; the others are written, then the
   * offsets.
   */
  async #writeApart(
    found: readonly PartitionEvent[],
    reacted: readonly ReactionResult<AssignedTask>[],
    deferred: readonly Deferred[],
    error: unknown,
  ): Promise<ReactionRound> {
    const middle = reacted.length >> 1;
    const [first] = reacted;
    const rounds: ReactionRound[] = [];
    if (reacted.length > 1) {
      rounds.push(await this.#write([], reacted.slice(0, middle)));
      rounds.push(await this.#write([], reacted.slice(middle)));
    } else if (first!.task.events.length > 1)
      rounds.push(...(await this.#oneByOne(first!.task, (one) => reactTo(this.#workflow, one))));
    else if (first!.failure === null)
      rounds.push(
        await this.#write(
          [],
          [failedAt(first!.task, rejectedEffects(this.#workflow.name, first!.task, error))],
        ),
      );
    else throw error;
    if (found.length > 0) rounds.push({ ...(await this.#write(found, [], deferred)), events: 0 });
    return mergeRounds(rounds);
  }
}
