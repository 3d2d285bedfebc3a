/** The actions that a process can run, by `workflow/name`. */
import type { AnyWorkflow } from '../define.ts';
import { type ActionPolicy, resolvePolicy } from './policy.ts';

export interface ActionEntry {
  readonly workflow: string;
  readonly name: string;
  readonly rules: ActionPolicy;
  /** Schema version of the events its results become. */
  readonly schema: number;
}

export function collectActions(workflows: readonly AnyWorkflow[]): Map<string, ActionEntry> {
  const all = workflows.flatMap(({ name: workflow, version, actions = {} }) =>
    Object.entries(actions).map(([name, action]) => ({
      workflow,
      name,
      rules: resolvePolicy(action, `${workflow}/${name}`),
      schema: version,
    })),
  );
  return new Map(all.map((action) => [`${action.workflow}/${action.name}`, action]));
}
