/** The client API: sends commands to workflows, reads their states, and runs them. */
import { SeineError } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import type { WorkflowRef } from '../events/event.ts';
import { EventNotifier } from '../events/event-notifier.ts';
import { checkCount } from './check-count.ts';
import { CommandQueue, type CommandQueueOptions } from './commands/command-queue.ts';
import { type Command, type CommandResult, throwIfFailed } from './commands/handle.ts';
import type { AnyWorkflow, Workflow } from './define.ts';
import { type DatabaseChoice, openWorkflowDatabase } from './open-database.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner/runner.ts';
import { type Simulated, simulate } from './simulate.ts';
import { load, requireComplete } from './state/load.ts';
import { startCommands } from './telemetry/spans.ts';
import type { Typed } from './typed.ts';
import { awaitResult, awaitUpdate, type Updated, type UpdateOptions } from './waiting/await-result.ts';
import { timeoutOf, type WaitOptions, WorkflowWaiters } from './waiting/workflow-waiters.ts';
import type { Status } from './workflow-store.ts';

export interface ClientOptions extends DatabaseChoice {
  readonly tenant?: string;
  /** Maximum commands queued in this process; further ones fail with an error of kind `limit` (10,000). */
  readonly maxQueued?: number;
}

export interface Sent<C> {
  readonly id: string;
  readonly command: C;
  /** Idempotency: a command sent again under the same id has no second effect. */
  readonly commandId?: string;
}

/** A workflow that accepts such commands, whatever its states and events are. */
// biome-ignore lint/suspicious/noExplicitAny: only the command type matters to senders
type AcceptingWorkflow<C extends Typed> = Workflow<any, C, any>;

export class WorkflowClient {
  readonly #db: Database;
  readonly #tenant: string;
  readonly #notifier: EventNotifier;
  readonly #queue: CommandQueue;
  readonly #waiters: WorkflowWaiters;
  #closing: Promise<void> | null = null;

  constructor(db: Database, tenant = 'default', options: CommandQueueOptions = {}) {
    this.#db = db;
    this.#tenant = tenant;
    this.#notifier = new EventNotifier(db);
    this.#queue = new CommandQueue(db, options);
    this.#waiters = new WorkflowWaiters(db);
  }

  /** Commands to one workflow take effect in the order in which they are sent, even when they are not awaited. */

  async send<C extends Typed>(
    workflow: AcceptingWorkflow<C>,
    id: string,
    command: NoInfer<C>,
    { commandId }: { commandId?: string } = {},
  ): Promise<CommandResult> {
    const [outcome] = await this.sendAll(workflow, [{ id, command, ...(commandId && { commandId }) }]);
    return throwIfFailed(outcome!, workflow.name, id);
  }

  /**
   * Sends many commands with few statements. Each has its own result, including its errors. Throws only when nothing could be done, because the
   * database is unavailable or too many commands are queued.
   */
  async sendAll<C extends Typed>(
    workflow: AcceptingWorkflow<C>,
    sent: readonly Sent<NoInfer<C>>[],
  ): Promise<CommandResult[]> {
    const commands = sent.map((one): Command => ({ ...one, tenant: this.#tenant }));
    const outcomes = await this.#submit(workflow, commands);
    throwIfUnavailable(outcomes);
    if (outcomes.some(({ outcome }) => outcome === 'accepted'))
      this.#notifier.notify('events', workflow.name);
    return outcomes;
  }

  async #submit(workflow: AnyWorkflow, commands: readonly Command[]): Promise<CommandResult[]> {
    const { traced, end, failed } = startCommands(workflow.name, commands, 'sent');
    try {
      const outcomes = await Promise.all(this.#queue.submit(workflow, traced));
      end(outcomes);
      return outcomes;
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  /** Null: it has not begun. */
  async state<S>(
    // biome-ignore lint/suspicious/noExplicitAny: only the state type matters to callers
    workflow: Workflow<S, any, any>,
    id: string,
  ): Promise<{ readonly status: Status; readonly version: number; readonly state: S } | null> {
    const [loaded] = await load(this.#db, workflow, [{ tenant: this.#tenant, id, commandId: null }]);
    const { key, status } = loaded!;
    if (key === null) return null;
    const { version, state } = requireComplete(loaded!);
    return { status, version, state: state as S };
  }

  /**
   * The result of `complete(result)`, or null. Rejects if there is no such workflow, if it was cancelled or failed, and on timeout. Only a signal or a
   * timeout ends the wait for an open workflow, even if it is paused or parked.
   */
  result<Result = unknown>(
    workflow: { readonly name: string },
    id: string,
    options: WaitOptions = {},
  ): Promise<Result> {
    return awaitResult(this.#waiters, this.#ref(workflow.name, id), options) as Promise<Result>;
  }

  /**
   * Sends a command and waits until all events up to its own were reacted to, that is, until its actions, timers and messages are written; with
   * `until`, also until the state satisfies it. Returns at once for a command that is rejected, or sent to a paused workflow. An aborted wait undoes
   * nothing: the command has taken effect.
   */
  async update<S, C extends Typed>(
    // biome-ignore lint/suspicious/noExplicitAny: the event type does not matter here
    workflow: Workflow<S, C, any>,
    id: string,
    command: NoInfer<C>,
    options: UpdateOptions<S> = {},
  ): Promise<Updated<S>> {
    options.signal?.throwIfAborted();
    timeoutOf(options); // validates before the command takes effect
    const { commandId } = options;
    const outcome = await this.send(workflow, id, command, commandId === undefined ? {} : { commandId });
    if (outcome.outcome === 'rejected' || outcome.outcome === 'paused') return outcome;
    if (outcome.outcome !== 'accepted' && outcome.outcome !== 'repeated')
      throw new SeineError('internal', `${workflow.name} ${id}: the command is ${outcome.outcome}.`);
    const address = this.#ref(workflow.name, id);
    return awaitUpdate(this.#waiters, this.#db, workflow, address, outcome, options);
  }

  #ref(workflow: string, id: string): WorkflowRef {
    return { tenant: this.#tenant, workflow, id };
  }

  simulate<C extends Typed>(
    workflow: AcceptingWorkflow<C>,
    id: string,
    command: NoInfer<C>,
  ): Promise<Simulated> {
    return simulate(this.#db, workflow, this.#tenant, id, command);
  }

  /** Completes commands in progress; queued ones fail, and so do waits for workflows. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#waiters.close()]);
    await this.#notifier.flushed();
    await this.#db.close();
  }
}

function throwIfUnavailable(outcomes: readonly CommandResult[]): void {
  const errors = outcomes.map((one) => (one.outcome === 'failed' ? one.error : null));
  const [first] = errors;
  const isAway = (error: unknown) => error instanceof SeineError && error.kind === 'unavailable';
  if (errors.length > 0 && errors.every(isAway)) throw first;
}

export async function openWorkflows(options: ClientOptions = {}): Promise<WorkflowClient> {
  const { tenant, maxQueued, connections = 10 } = options;
  if (maxQueued !== undefined) checkCount('The client', 'maxQueued', maxQueued);
  const batches = Math.max(1, Math.floor(connections * 0.4)); // of each kind; leaves connections for other queries
  return new WorkflowClient(await openWorkflowDatabase(options), tenant, {
    batches,
    lockedBatches: batches,
    ...(maxQueued !== undefined && { maxQueued }),
  });
}

/** Runs workflows in this process until it is stopped, sharing the work with all other runners. */
export async function runWorkflows(options: RunnerOptions & DatabaseChoice): Promise<Runner> {
  const db = await openWorkflowDatabase(options);
  try {
    const runner = await startRunner(db, options);
    const stop = async (drainMs?: number) => {
      await runner.stop(drainMs);
      await db.close();
    };
    return { ...runner, stop };
  } catch (error) {
    await db.close();
    throw error;
  }
}
