/**
 * Projections: tables for queries, made of events and updated by runners.
 *
 * One runner at a time applies a projection's events, in the order of the log, and of each workflow in the order of its versions (sequence.ts).
 * A batch is one transaction: the cursor of the projection's lease moves first (the fence), then `apply` writes, then the versions that were
 * applied are noted. So each event is applied once, whatever
 * crashes, and a runner that was taken over from can write nothing.
 *
 * An event whose `apply` fails stops this projection alone: what came before it in the batch is applied, it is tried again after growing
 * pauses, then the projection is parked with the event and the error, until it is resumed or rebuilt.
 *
 * The kinds of workflows it reads are stored and only grow (control-projections.ts). A runner applies only if its definition reads the same ones; a change
 * takes the lease away from its holder.
 *
 * Crash: nothing of the batch remains, and the next runner repeats it.
 */
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';

/** As today's version of its workflow knows it. */
export interface ProjectedEvent extends HeardEvent {
  readonly tenant: string;
}

/** Statements in the transaction of the batch. Tables need their schema: `public.order_total`. */
export type ProjectionTx = Pick<Tx, 'query'>;

export interface ProjectionSource {
  readonly workflow: AnyWorkflow;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events that have one of these tags. */
  readonly tags?: readonly string[];
}

export interface ProjectionDefinition {
  /** Letters, digits, dashes. */
  readonly name: string;
  readonly from: readonly (AnyWorkflow | ProjectionSource)[];
  /** Creates its tables: before the first event, and after `reset`. */
  readonly init: (tx: ProjectionTx) => unknown;
  readonly apply: (tx: ProjectionTx, event: ProjectedEvent) => unknown;
  /** Empties or drops its tables, before they are built again. */
  readonly reset: (tx: ProjectionTx) => unknown;
  /** Events in one transaction, at most (200). */
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
    fail(`The projection ${name} reads no workflow.`, 'Name those that it reads: from: [order].');
  if (!Number.isInteger(batch) || batch < 1)
    fail(`The projection ${name} has a batch of ${batch} events.`, 'Use a whole number from 1 on.');
  for (const part of ['init', 'apply', 'reset'] as const)
    if (typeof definition[part] !== 'function')
      fail(`The projection ${name} has no ${part}.`, `Add ${part}: async (tx) => { … }.`);
  const from = definition.from.map((source) => ('workflow' in source ? source : { workflow: source }));
  return Object.freeze({ ...definition, from, batch });
}

/** The kinds of workflows it reads, each once. */
export function workflowsOf({ from }: Projection): string[] {
  return [...new Set(from.map(({ workflow }) => workflow.name))].sort();
}

/** What `these` have and the others lack. */
export function missingFrom(others: readonly string[], these: readonly string[]): string[] {
  return these.filter((name) => !others.includes(name));
}

/** Written by newer code of its workflow than this process has: only a runner with that code can apply it. */
export function isNewer(projection: Projection, event: { readonly schema: number } & Named): boolean {
  const source = sourceOf(projection, event);
  return source !== null && event.schema > source.workflow.version;
}

type Named = Pick<ProjectedEvent, 'workflow' | 'type' | 'tags'>;

/** Events of Seine's own, such as workflow.paused, only if their type is named. */
export function sourceOf({ from }: Projection, event: Named): ProjectionSource | null {
  const isMeant = ({ workflow, types, tags }: ProjectionSource) =>
    workflow.name === event.workflow &&
    (types ? types.includes(event.type) : !event.type.startsWith(SYSTEM_EVENT_PREFIX)) &&
    (!tags || tags.some((tag) => event.tags.includes(tag)));
  return from.find(isMeant) ?? null;
}
