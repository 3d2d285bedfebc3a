/**
 * The order in which events are applied. Log order may differ from the order of a workflow's versions: a transaction that began earlier may append
 * later. So, as for reactions, the offset finds events and the version decides: an event is applied after all lower versions, which were committed
 * before it and are fetched if they come later in the log, and one whose version was applied is skipped.
 */
import type { Queryable } from '../../db/database.ts';
import type { StoredEvent } from '../../events/event.ts';
import { type PartitionEvent, readWorkflow } from '../../events/read-store.ts';
import { progressOf } from './progress-store.ts';

export interface SequencedEvent {
  readonly event: PartitionEvent;
  /** Index of the log event that led to it, from 0: all events before that are applied. */
  readonly n: number;
}

const PAGE = 1000;

export async function inOrder(
  db: Queryable,
  lease: number,
  found: readonly PartitionEvent[],
): Promise<SequencedEvent[]> {
  const applied = await progressOf(db, lease, [...new Set(found.map(({ workflowKey }) => workflowKey))]);
  const steps: SequencedEvent[] = [];
  for (const [n, event] of found.entries()) {
    const { workflowKey, version } = event;
    const before = applied.get(workflowKey) ?? 0;
    if (version <= before) continue;
    for (const missing of await between(db, workflowKey, before, version))
      steps.push({ event: { ...event, ...missing }, n });
    steps.push({ event, n });
    applied.set(workflowKey, version);
  }
  return steps;
}

/** The remaining events of one workflow between two versions. */
async function between(db: Queryable, key: number, after: number, before: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let last = after; last < before - 1; ) {
    const page = await readWorkflow(db, key, last, Math.min(PAGE, before - 1 - last));
    events.push(...page.filter(({ version }) => version < before));
    if (page.length === 0 || page.at(-1)!.version >= before) break;
    last = page.at(-1)!.version;
  }
  return events;
}
