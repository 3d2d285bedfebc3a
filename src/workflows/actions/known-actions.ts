/** The actions that a process can run. */
import type { AnyWorkflow } from '../define.ts';
import { type Rules, rulesOf } from './policy.ts';

export interface Known {
  readonly workflow: string;
  readonly name: string;
  readonly rules: Rules;
  /** Of the events that its results become. */
  readonly schema: number;
}

/** By `workflow/name`. */
export function knownActions(workflows: readonly AnyWorkflow[]): Map<string, Known> {
  const all = workflows.flatMap(({ name: workflow, version, actions = {} }) =>
    Object.entries(actions).map(([name, action]) => ({
      workflow,
      name,
      rules: rulesOf(action, `${workflow}/${name}`),
      schema: version,
    })),
  );
  return new Map(all.map((action) => [`${action.workflow}/${action.name}`, action]));
}
