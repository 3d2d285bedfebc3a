/** Appends events that need no decision: results of actions, pause and resume. */
import type { Tx } from '../../db/database.ts';
import { appendEvents, type NewEvent } from '../../events/append-store.ts';
import { type Head, lockWorkflows, type Status } from '../workflow-store.ts';

export interface WorkflowAppend {
  readonly key: number;
  readonly event: NewEvent;
}

const OPEN_STATUSES: readonly Status[] = ['running', 'paused'];

/**
 * Appends to workflows that have not ended, and skips the others. Returns those appended to. A caller that has locked them before in this transaction
 * passes what was read then.
 */
export async function appendToOpen(
  tx: Tx,
  facts: readonly WorkflowAppend[],
  locked?: ReadonlyMap<number, Head>,
): Promise<Set<number>> {
  const byKey = Map.groupBy(facts, ({ key }) => key);
  const heads = locked ?? (await lockWorkflows(tx, [...byKey.keys()]));
  const living = [...heads.values()].filter(
    ({ key, status }) => byKey.has(key) && OPEN_STATUSES.includes(status),
  );
  await appendEvents(
    tx,
    living.map((head: Head) => ({
      ...head,
      expected: head.version,
      events: byKey.get(head.key)!.map(({ event }) => event),
    })),
  );
  return new Set(living.map(({ key }) => key));
}
