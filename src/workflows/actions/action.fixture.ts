/** For tests: workflows that have requested actions, and runners of these. */
import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, one } from '../../db/database.ts';
import { appendEvents } from '../../events/append-store.ts';
import { readWorkflow } from '../../events/read-store.ts';
import { type AnyWorkflow, defineWorkflow, type OldEvent } from '../define.ts';
import type { Typed } from '../typed.ts';
import type { Action } from './action.ts';
import { addActions, type NewAction } from './action-store.ts';
import type { Actions, ActionsOptions } from './actions-options.ts';
import { startActions } from './run-actions.ts';

export interface RequestedActions {
  readonly key: number;
  /** The ids of its actions. */
  readonly actions: readonly number[];
}

/** A workflow whose first event requested these actions, with this crash count. */
export async function requestActions(
  db: Database,
  workflow: string,
  id: string,
  batch: readonly (Pick<NewAction, 'name' | 'key' | 'limitKey'> & { readonly input?: unknown })[],
  crashes = 0,
): Promise<RequestedActions> {
  const begun = { tenant: 'default', workflow, id, key: null, expected: 0 };
  const [key] = await appendEvents(db, [{ ...begun, events: [{ type: 'begun', data: {} }] }]);
  const rows = batch.map(({ input = null, ...wish }, n) => ({
    ...wish,
    tenant: 'default',
    workflowKey: key!,
    workflow,
    version: 1,
    n,
    input,
  }));
  await db.tx(async (tx) => {
    await addActions(tx, rows);
    if (crashes > 0) await tx.query('update action set crashes = $2 where workflow_key = $1', [key, crashes]);
  });
  const stored = await many<{ id: number }>(db, 'select id from action where workflow_key = $1 order by n', [
    key,
  ]);
  return { key: key!, actions: stored.map((row) => row.id) };
}

export interface StoredAction {
  readonly state: string;
  readonly token: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly crashesAlone: number;
  readonly result: unknown;
  readonly error: string | null;
  readonly checkpoint: unknown;
  readonly holder: string | null;
  /** From now on, by the database's clock. */
  readonly dueInMs: number;
}

export function readAction(db: Database, id: number): Promise<StoredAction> {
  return one<StoredAction>(
    db,
    `select state, token, attempts, crashes, crashes_alone as "crashesAlone", result, error, checkpoint, holder,
            1000 * extract(epoch from due_at - clock())::float8 as "dueInMs"
     from action where id = $1`,
    [id],
  );
}

export function workflowWith(
  name: string,
  actions: Readonly<Record<string, Action>>,
  version = 1,
): AnyWorkflow {
  const upcast: Record<number, (event: OldEvent) => OldEvent> = {};
  for (let old = 1; old < version; old++) upcast[old] = (event) => event;
  return defineWorkflow<number, Typed, Typed>({
    name,
    version,
    upcast,
    initial: () => 0,
    decide: () => [],
    evolve: () => 0,
    actions,
  });
}

/** By the moved clock: no lease is renewed in the real time of a test, unless the test sets a shorter time. */
export const LEASE = 60_000;

/** Those who run actions in a test, what they complained of, and how to end them all. */
export function processes(db: Database) {
  const running: Actions[] = [];
  const errors: string[] = [];
  const onError = (message: string) => void errors.push(message);
  return {
    errors,
    start(workflow: AnyWorkflow, options: Partial<ActionsOptions> & { on?: Database } = {}): Actions {
      const { on = db, ...more } = options;
      const usual = { holder: randomUUID(), leaseMs: LEASE, concurrency: 10, pollMs: 20, onError };
      const actions = startActions(on, [workflow], { ...usual, ...more });
      running.push(actions);
      return actions;
    },
    async stop(): Promise<void> {
      await Promise.all(running.splice(0).map((actions) => actions.stop(0)));
      errors.length = 0;
    },
  };
}

export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  await waitUntil(String(isSo), async () => await isSo());
}

export function reaches(db: Database, id: number, state: string): Promise<void> {
  return until(async () => (await readAction(db, id)).state === state);
}

/** What was written about a workflow after it began. */
export async function historyOf(db: Database, key: number): Promise<[string, unknown][]> {
  return (await readWorkflow(db, key, 1, 1000)).map(({ type, data }) => [type, data]);
}

/** Opens on request. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

/** A way to the database that can be cut: what a process that died, or was paused, no longer has. */
export function disconnectable(db: Database): Database & { cut: boolean } {
  const way = {
    ...db,
    cut: false,
    query: <Row>(...asked: Parameters<Database['query']>) => check(() => db.query<Row>(...asked)),
    tx: <T>(work: Parameters<typeof db.tx<T>>[0]) => check(() => db.tx(work)),
  };
  async function check<T>(ask: () => Promise<T>): Promise<T> {
    if (way.cut) throw new SeineError('unavailable', 'The database cannot be reached.');
    return ask();
  }
  return way;
}
