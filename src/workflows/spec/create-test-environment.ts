/**
 * An in-memory environment for tests of workflows, with virtual time and simulated actions.
 *
 *   const world = trial(order, shipment, { actions: { chargeCard: async () => 'ok' } });
 *   await world.send('order-1', { type: 'place' });
 *   await world.advance({ hours: 2 });
 *
 * Everything runs sequentially in order of time, so tests are deterministic. Errors of a workflow's own functions are thrown by `send` and `advance`;
 * a runner would retry and then park the workflow.
 */
import type { AnyWorkflow, Workflow } from '../define.ts';
import type { Typed } from '../typed.ts';
import { milliseconds, type Wait } from '../wait.ts';
import { bodiesOf, foldedOf } from './event-history.ts';
import type { Run, SimulatedAction } from './simulated-actions.ts';
import { type Sent, TestEnvironment, type Timer } from './test-environment.ts';

interface TestOptions {
  readonly actions?: Readonly<Record<string, Run>>;
  /** The start of virtual time (2026-01-01, midnight UTC). */
  readonly start?: Date;
}

/** The workflows of one type, by id. */
interface TestWorkflow<State, Command extends Typed, Event extends Typed> {
  /** Decides, and processes everything that is due at once. */
  send(id: string, command: Command): Promise<Answer<Event>>;
  /** Upcast to the workflow's current version. */
  events(id: string): Event[];
  state(id: string): State;
  status(id: string): 'running' | 'completed' | 'cancelled';
  actions(
    id: string,
  ): Pick<SimulatedAction, 'name' | 'input' | 'state' | 'attempts' | 'error' | 'idempotencyKey'>[];
  /** Ordered by time. */
  timers(id: string): Timer[];
}

type Answer<Event> =
  | { readonly events: readonly Event[]; readonly rejected: null }
  | { readonly events: readonly []; readonly rejected: string };

interface TestEnvironmentHandle<State, Command extends Typed, Event extends Typed>
  extends TestWorkflow<State, Command, Event> {
  of<S, C extends Typed, E extends Typed>(other: Workflow<S, C, E>): TestWorkflow<S, C, E>;
  advance(wait: Wait): Promise<void>;
  readonly now: Date;
  /** Commands to workflows that are not part of the environment. */
  readonly told: readonly Sent[];
  /** Commands of timers and of other workflows that were rejected. */
  readonly rejections: readonly (Sent & { readonly reason: string })[];
}

export function testEnvironment<State, Command extends Typed, Event extends Typed>(
  workflow: Workflow<State, Command, Event>,
  ...others: readonly (AnyWorkflow | TestOptions)[]
): TestEnvironmentHandle<State, Command, Event> {
  const kinds = others.filter((other) => 'decide' in other);
  const options: TestOptions = Object.assign({}, ...others.filter((other) => !('decide' in other)));
  const { actions = {}, start = new Date('2026-01-01T00:00:00Z') } = options;
  const world = new TestEnvironment([workflow, ...kinds], actions, start);
  return {
    ...testWorkflow(world, workflow),
    of: (other) => testWorkflow(world, other),
    advance: (wait) => world.queue.advanceTo(world.queue.now + milliseconds(wait, 'advance() was given')),
    get now() {
      return new Date(world.queue.now);
    },
    told: world.told,
    rejections: world.rejections,
  };
}

function testWorkflow<State, Command extends Typed, Event extends Typed>(
  world: TestEnvironment,
  workflow: Workflow<State, Command, Event>,
): TestWorkflow<State, Command, Event> {
  const lifeOf = (id: string) => world.instanceOf(workflow, id);
  return {
    async send(id, command) {
      const outcome = await world.handle(workflow, id, command);
      await world.queue.advanceTo(world.queue.now);
      if ('rejected' in outcome) return { events: [], rejected: outcome.rejected };
      return {
        events: bodiesOf({ workflow, id, happened: outcome }) as unknown[] as Event[],
        rejected: null,
      };
    },
    events: (id) => bodiesOf(lifeOf(id)) as unknown[] as Event[],
    state: (id) => foldedOf(lifeOf(id)).state as State,
    status: (id) => lifeOf(id).status,
    actions: (id) =>
      lifeOf(id).actions.map(({ name, input, state, attempts, error, idempotencyKey }) => {
        return { name, input, state, attempts, error, idempotencyKey };
      }),
    timers: (id) => [...lifeOf(id).timers.values()].sort((a, b) => a.due.getTime() - b.due.getTime()),
  };
}
