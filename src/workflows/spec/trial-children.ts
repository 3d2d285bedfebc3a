/** Children in a trial: who started whom, and what the parent learns when one ends. As children/child.ts has it, without a database. */
import type { NewEvent } from '../../events/append-store.ts';
import type { CancelChild, StartChild } from '../children/child.ts';
import type { Complete, Fail } from '../effects.ts';
import { type Story, stored } from './story.ts';

export interface Ended {
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly data: Readonly<Record<string, unknown>>;
}

interface Child {
  readonly parent: Story;
  readonly start: StartChild;
  over: boolean;
}

export interface Family {
  /** Whether a workflow of this id has begun. */
  hasBegun(workflow: string, id: string): boolean;
  /** Soon: delivers its first command, and says why it did not begin. */
  begin(start: StartChild, failed: (error: string) => void): void;
  record(story: Story, event: NewEvent): void;
  /** Soon. */
  cancel(workflow: string, id: string): void;
}

export function endingIn(effect: Complete | Fail): Ended {
  if (effect.do === 'fail') return { outcome: 'failed', data: { error: effect.error } };
  return { outcome: 'completed', data: { result: stored(effect.result) ?? null } };
}

export class TrialChildren {
  readonly #family: Family;
  readonly #children = new Map<string, Child>();

  constructor(family: Family) {
    this.#family = family;
  }

  start(parent: Story, start: StartChild): void {
    const { workflow, id } = start;
    const name = `${workflow}/${id}`;
    const hasBegun = this.#family.hasBegun(workflow, id);
    if (hasBegun || this.#children.has(name)) {
      const taken = hasBegun
        ? `There is a ${workflow} ${id} already`
        : `The id ${id} was used by an earlier child of the kind ${workflow}`;
      const error = `${taken}; a child needs an id of its own.`;
      return this.#tell(parent, start, { outcome: 'failed', data: { error } });
    }
    this.#children.set(name, { parent, start, over: false });
    this.#family.begin(start, (error) => this.#end(name, { outcome: 'failed', data: { error } }));
  }

  /** A workflow has ended: its parent has an event, and its own children end too unless they were abandoned. */
  ended({ workflow, id }: Story, ended: Ended): void {
    this.#end(`${workflow.name}/${id}`, ended);
    for (const { parent, start } of this.#children.values())
      if (isSame(parent, { workflow, id }) && start.onParentEnd === 'cancel') this.#cancel(start);
  }

  /** The parent cancels one of its own. */
  cancel(parent: Story, { workflow, id }: CancelChild): void {
    const child = this.#children.get(`${workflow}/${id}`);
    if (child && isSame(child.parent, parent)) this.#cancel(child.start);
  }

  /** Its first command is not delivered any more. */
  isOver(workflow: string, id: string): boolean {
    return this.#children.get(`${workflow}/${id}`)?.over ?? false;
  }

  #cancel({ workflow, id }: StartChild): void {
    if (this.isOver(workflow, id)) return;
    if (this.#family.hasBegun(workflow, id)) this.#family.cancel(workflow, id);
    else this.#end(`${workflow}/${id}`, { outcome: 'cancelled', data: {} });
  }

  #end(name: string, ended: Ended): void {
    const child = this.#children.get(name);
    if (!child || child.over) return;
    child.over = true;
    this.#tell(child.parent, child.start, ended);
  }

  #tell(parent: Story, { name, id }: StartChild, { outcome, data }: Ended): void {
    this.#family.record(parent, { type: `${name}.${outcome}`, data: { id, ...data } });
  }
}

function isSame(one: Pick<Story, 'workflow' | 'id'>, other: Pick<Story, 'workflow' | 'id'>): boolean {
  return one.workflow.name === other.workflow.name && one.id === other.id;
}
