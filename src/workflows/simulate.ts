/** Simulates commands and replays states. Nothing is written. */
import { SeineError } from '../base/errors.ts';
import type { Queryable } from '../db/database.ts';
import { runDecide } from './commands/decide.ts';
import type { AnyWorkflow } from './define.ts';
import type { Effect } from './effects.ts';
import { reactTo } from './reactions/react.ts';
import type { VersionedState } from './state/fold.ts';
import { load, loadAt, requireComplete } from './state/load.ts';
import type { Typed } from './typed.ts';
import { newerVersionRequired } from './versions/newer-version.ts';
import { readHead } from './workflow-store.ts';

export type Simulated =
  | { readonly outcome: 'rejected'; readonly reason: string }
  | {
      readonly outcome: 'accepted';
      readonly events: readonly Typed[];
      readonly state: unknown;
      /** The effects that the reactions to these events would have. */
      readonly effects: readonly Effect[];
    };

/** Decides this command on the current state. */
export async function simulate(
  db: Queryable,
  workflow: AnyWorkflow,
  tenant: string,
  id: string,
  command: Typed,
): Promise<Simulated> {
  const [loaded] = await load(db, workflow, [{ tenant, id, commandId: null }]);
  const { status, now } = loaded!;
  if (status !== 'running') return { outcome: 'rejected', reason: `${workflow.name} ${id} is ${status}` };
  const folded = requireComplete(loaded!);
  const decided = await runDecide(workflow, folded, command, { id, now });
  if ('rejected' in decided) return { outcome: 'rejected', reason: decided.rejected };
  const events = decided.events.map((event, i) => ({
    ...event,
    schema: workflow.version,
    workflowKey: 0,
    version: folded.version + i + 1,
    tags: event.tags ?? [],
    at: now,
  }));
  const { reactedEvents, failure } = reactTo(workflow, {
    key: 0,
    tenant,
    id,
    from: folded,
    events,
    more: false,
    attempts: 0,
  });
  if (failure) throw failure.error;
  return {
    outcome: 'accepted',
    events: decided.events.map(({ type, data }) => ({ type, ...data })),
    state: decided.folded.state,
    effects: reactedEvents.flatMap(({ effects }) => effects),
  };
}

/** The state after event number `version` (default: the current state). */
export async function replay(
  db: Queryable,
  workflow: AnyWorkflow,
  tenant: string,
  id: string,
  version?: number,
): Promise<VersionedState> {
  const head = await readHead(db, { tenant, workflow: workflow.name, id });
  if (!head)
    throw new SeineError('not-found', `There is no ${workflow.name} ${id}.`, {
      hint: 'List them: seine workflows list',
    });
  if (head.needsVersion > workflow.version) throw newerVersionRequired(workflow, id, head.needsVersion);
  const wanted = version ?? head.version;
  if (wanted < 0 || wanted > head.version) {
    throw new SeineError('usage', `${workflow.name} ${id} has ${head.version} events, not ${wanted}.`);
  }
  const states = await loadAt(db, workflow, [{ key: head.key, id, version: wanted }]);
  const folded = requireComplete(states.get(head.key)!);
  if (folded.version === wanted) return folded;
  throw new SeineError('not-found', `Event ${wanted} of ${workflow.name} ${id} was archived.`, {
    hint: 'It may be in the archive. List the remaining events: seine workflows events',
  });
}
