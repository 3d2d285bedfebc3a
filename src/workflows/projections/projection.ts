/**
 * Projections: read models built from events and updated by runners.
 *
 * One runner at a time applies a projection's events, in log order, and those of each workflow in the order of its versions (sequence.ts). A batch is
 * one transaction: it checkpoints the projection's lease first (the fence), then `apply` writes, then the applied versions are recorded. So each event
 * is applied exactly once despite crashes, and a runner that lost the lease can write nothing.
 *
 * An event whose `apply` fails stops only this projection: earlier events of the batch are applied, the event is retried with backoff, then the
 * projection is parked with the event and the error, until it is resumed or rebuilt.
 *
 * The workflow types it reads are stored and only grow (control-projections.ts). A runner applies only if its definition reads the same ones; a change
 * revokes the lease of its holder.
 *
 * Crash: nothing of the batch remains, and the next runner repeats it.
 */
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';

/** Upcast to the current version of its workflow. */
export interface ProjectedEvent extends HeardEvent {
  readonly tenant: string;
}

/** Runs a statement in the transaction of the batch. Tables need their schema: `public.order_total`. */
export type ProjectionTx = Pick<Tx, 'query'>;

export interface ProjectionSource {
  readonly workflow: AnyWorkflow;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events with at least one of these tags. */
  readonly tags?: readonly string[];
}

export interface ProjectionDefinition {
  /** Letters, digits, dashes. */
  readonly name: string;
  readonly from: readonly (AnyWorkflow | ProjectionSource)[];
  /** Creates its tables: before the first event, and after `reset`. */
  readonly init: (tx: ProjectionTx) => unknown;
  readonly apply: (tx: ProjectionTx, event: ProjectedEvent) => unknown;
  /** Empties or drops its tables before a rebuild. */
  readonly reset: (tx: ProjectionTx) => unknown;
  /** Maximum events in one transaction (200). */
  readonly batch?: number;
}

export interface Projection extends Omit<ProjectionDefinition, 'from'> {
  readonly from: readonly ProjectionSource[];
  readonly batch: number;
}

const NAME = /^[a-z][a-z0-9-]{0,62}$/i;

export function defineProjection(definition: ProjectionDefinition): Projection {
  const { name, batch = 200 } = definition;
  const fail = (message: string, hint: string): never => {
    throw new SeineError('usage', message, { hint });
  };
  if (!NAME.test(name))
    fail(`"${name}" can't be the name of a projection.`, 'Use letters, digits and dashes, a letter first.');
  if (definition.from.length === 0)
    fail(`The projection ${name} reads no workflow.`, 'List the workflows it reads: from: [order].');
  if (!Number.isInteger(batch) || batch < 1)
    fail(`The projection ${name} has a batch of ${batch} events.`, 'Use a whole number from 1 on.');
  for (const part of ['init', 'apply', 'reset'] as const)
    if (typeof definition[part] !== 'function')
      fail(`The projection ${name} has no ${part}.`, `Add ${part}: async (tx) => { … }.`);
  const from = definition.from.map((source) => ('workflow' in source ? source : { workflow: source }));
  return Object.freeze({ ...definition, from, batch });
}

/** The workflow types it reads, without duplicates. */
export function workflowsOf({ from }: Projection): string[] {
  return [...new Set(from.map(({ workflow }) => workflow.name))].sort();
}

/** Elements of `these` that the others lack. */
export function missingFrom(others: readonly string[], these: readonly string[]): string[] {
  return these.filter((name) => !others.includes(name));
}

/** Why a runner does not update a projection that reads other workflows than its definition says. */
export function definitionDiffers(
  name: string,
  own: readonly string[],
  registered: readonly string[],
): string {
  const lacking = missingFrom(own, registered);
  return lacking.length > 0
    ? `The projection ${name} is not updated by this runner: its definition lacks ${lacking.join(', ')}, which an earlier definition reads. To leave that out: stop the runners with the earlier definition, run seine workflows projections remove ${name}, drop its tables, restart the runners.`
    : `The projection ${name} is not updated by this runner: it was recreated without ${missingFrom(registered, own).join(', ')}. Restart this runner to add that.`;
}

/** Written by newer code of its workflow than this process has: only a runner with that code can apply it. */
export function isNewer(projection: Projection, event: { readonly schema: number } & Named): boolean {
  const source = sourceOf(projection, event);
  return source !== null && event.schema > source.workflow.version;
}

type Named = Pick<ProjectedEvent, 'workflow' | 'type' | 'tags'>;

/** Seine's own events, such as workflow.paused, are included only if their type is named. */
export function sourceOf({ from }: Projection, event: Named): ProjectionSource | null {
  const isMeant = ({ workflow, types, tags }: ProjectionSource) =>
    workflow.name === event.workflow &&
    (types ? types.includes(event.type) : !event.type.startsWith(SYSTEM_EVENT_PREFIX)) &&
    (!tags || tags.some((tag) => event.tags.includes(tag)));
  return from.find(isMeant) ?? null;
}

/**
 * Result of a round. If idle: the maximum delay before the next poll, null: no limit; and whether committed events may have been hidden by a
 * transaction in progress.
 */
export type ProjectionRound =
  | { readonly applied: number }
  | { readonly waitMs: number | null; readonly isUnsettled?: boolean };
