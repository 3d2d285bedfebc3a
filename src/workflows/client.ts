/** For programs: sends commands to workflows and asks for their states; and runs them. */
import type { Database } from '../db/database.ts';
import { Herald } from '../events/herald.ts';
import type { Workflow } from './define.ts';
import { type Command, handleCommands, type Outcome, unlessFailed } from './handle.ts';
import { load } from './load.ts';
import { type DatabaseChoice, openWorkflowDatabase } from './open-database.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner/runner.ts';
import { type Simulated, simulate } from './simulate.ts';
import type { Typed } from './typed.ts';
import type { Status } from './workflow-store.ts';

export interface ClientOptions extends DatabaseChoice {
  readonly tenant?: string;
}

export interface Sent<C> {
  readonly id: string;
  readonly command: C;
  /** Sent again under the same id, it has no second effect. */
  readonly commandId?: string;
}

/** A workflow that takes such commands, whatever its states and events are. */
// biome-ignore lint/suspicious/noExplicitAny: only the commands matter to whoever sends them
type Taking<C extends Typed> = Workflow<any, C, any>;

export class WorkflowClient {
  readonly #db: Database;
  readonly #tenant: string;
  readonly #herald: Herald;

  constructor(db: Database, tenant = 'default') {
    this.#db = db;
    this.#tenant = tenant;
    this.#herald = new Herald(db);
  }

  async send<C extends Typed>(
    workflow: Taking<C>,
    id: string,
    command: C,
    { commandId }: { commandId?: string } = {},
  ): Promise<Outcome> {
    const [outcome] = await this.sendAll(workflow, [{ id, command, ...(commandId && { commandId }) }]);
    return unlessFailed(outcome!, workflow.name, id);
  }

  /** Many by few statements. Each has an outcome of its own; what one workflow's code throws is the outcome of that command. */
  async sendAll<C extends Typed>(workflow: Taking<C>, sent: readonly Sent<C>[]): Promise<Outcome[]> {
    const commands = sent.map((one): Command => ({ ...one, tenant: this.#tenant }));
    const outcomes = await handleCommands(this.#db, workflow, commands);
    if (outcomes.some(({ outcome }) => outcome === 'accepted')) this.#herald.tell('events', workflow.name);
    return outcomes;
  }

  /** Null: it has not begun. */
  async state<S>(
    // biome-ignore lint/suspicious/noExplicitAny: only the state matters to whoever asks for it
    workflow: Workflow<S, any, any>,
    id: string,
  ): Promise<{ readonly status: Status; readonly version: number; readonly state: S } | null> {
    const [loaded] = await load(this.#db, workflow, [{ tenant: this.#tenant, id, commandId: null }]);
    const { key, status, newer, folded } = loaded!;
    if (newer) throw newer;
    return key === null ? null : { status, version: folded.version, state: folded.state as S };
  }

  simulate<C extends Typed>(workflow: Taking<C>, id: string, command: C): Promise<Simulated> {
    return simulate(this.#db, workflow, this.#tenant, id, command);
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

export async function openWorkflows(options: ClientOptions = {}): Promise<WorkflowClient> {
  return new WorkflowClient(await openWorkflowDatabase(options), options.tenant);
}

/** Runs workflows in this process until it is stopped, together with all others that run them. */
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
