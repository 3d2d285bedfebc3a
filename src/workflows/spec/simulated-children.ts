/** Simulated child workflows: the semantics of children/child.ts, without a database. */
import type { NewEvent } from '../../events/append-store.ts';
import type { CancelChild, StartChild } from '../children/child.ts';
import type { Complete, Fail } from '../effects.ts';
import { type EventHistory, jsonRoundTrip } from './event-history.ts';

export interface ChildEnding {
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly data: Readonly<Record<string, unknown>>;
}

interface Child {
  readonly parent: EventHistory;
  readonly start: StartChild;
  over: boolean;
}

export interface ChildRuntime {
  /** Whether a workflow with this id has begun. */
  hasBegun(workflow: string, id: string): boolean;
  /** Scheduled: delivers its first command; calls `failed` with the reason if it did not begin. */
  begin(start: StartChild, failed: (error: string) => void): void;
  record(history: EventHistory, event: NewEvent): void;
  /** Scheduled. */
  cancel(workflow: string, id: string): void;
}

export function endingIn(effect: Complete | Fail): ChildEnding {
  if (effect.do === 'fail') return { outcome: 'failed', data: { error: effect.error } };
  return { outcome: 'completed', data: { result: jsonRoundTrip(effect.result) ?? null } };
}

export class SimulatedChildren {
  readonly #runtime: ChildRuntime;
  readonly #children = new Map<string, Child>();

  constructor(family: ChildRuntime) {
    this.#runtime = family;
  }

  start(parent: EventHistory, start: StartChild): void {
    const { workflow, id } = start;
    const name = `${workflow}/${id}`;
    const hasBegun = this.#runtime.hasBegun(workflow, id);
    if (hasBegun || this.#children.has(name)) {
      const taken = hasBegun
        ? `There is a ${workflow} ${id} already`
        : `The id ${id} was used by an earlier child of the kind ${workflow}`;
      const error = `${taken}; a child needs an id of its own.`;
      return this.#notifyParent(parent, start, { outcome: 'failed', data: { error } });
    }
    this.#children.set(name, { parent, start, over: false });
    this.#runtime.begin(start, (error) => this.#end(name, { outcome: 'failed', data: { error } }));
  }

  /** A workflow has ended: its parent receives an event, and its own children are cancelled unless abandoned. */
  ended({ workflow, id }: EventHistory, ended: ChildEnding): void {
    this.#end(`${workflow.name}/${id}`, ended);
    for (const { parent, start } of this.#children.values())
      if (isSame(parent, { workflow, id }) && start.onParentEnd === 'cancel') this.#cancel(start);
  }

  /** The parent cancels one of its children. */
  cancel(parent: EventHistory, { workflow, id }: CancelChild): void {
    const child = this.#children.get(`${workflow}/${id}`);
    if (child && isSame(child.parent, parent)) this.#cancel(child.start);
  }

  /** Its first command must not be delivered any more. */
  isOver(workflow: string, id: string): boolean {
    return this.#children.get(`${workflow}/${id}`)?.over ?? false;
  }

  #cancel({ workflow, id }: StartChild): void {
    if (this.isOver(workflow, id)) return;
    if (this.#runtime.hasBegun(workflow, id)) this.#runtime.cancel(workflow, id);
    else this.#end(`${workflow}/${id}`, { outcome: 'cancelled', data: {} });
  }

  #end(name: string, ended: ChildEnding): void {
    const child = this.#children.get(name);
    if (!child || child.over) return;
    child.over = true;
    this.#notifyParent(child.parent, child.start, ended);
  }

  #notifyParent(parent: EventHistory, { name, id }: StartChild, { outcome, data }: ChildEnding): void {
    this.#runtime.record(parent, { type: `${name}.${outcome}`, data: { id, ...data } });
  }
}

function isSame(
  one: Pick<EventHistory, 'workflow' | 'id'>,
  other: Pick<EventHistory, 'workflow' | 'id'>,
): boolean {
  return one.workflow.name === other.workflow.name && one.id === other.id;
}
