/** Validates events returned by `decide`, and prepares them for the append. */
import { SeineError } from '../../base/errors.ts';
import type { NewEvent } from '../../events/append-store.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Typed } from '../typed.ts';
import { callUserCode, formatValue } from './code-error.ts';
import { itemsOf } from './copy.ts';
import { deepFreeze } from './frozen.ts';
import { checkText, plainJson } from './plain-json.ts';

/** Limits for one command. Its events are written by one statement together with those of other commands. */
export const MAX_EVENTS = 10_000;
const MAX_TOTAL_BYTES = 16 << 20;
const MAX_TAGS = 100;

/** Whether it is an object with a type that is not Seine's own. */
export function checkBody(workflow: AnyWorkflow, body: unknown): asserts body is Typed {
  const type = typeof body === 'object' && body !== null ? (body as { type?: unknown }).type : undefined;
  if (typeof type === 'string' && !type.startsWith(SYSTEM_EVENT_PREFIX) && !Array.isArray(body)) return;
  throw new SeineError(
    'internal',
    `${workflow.name} returned something that is not an event: ${formatValue(body)}.`,
    {
      hint: `Let decide return events with a type (one that does not begin with "${SYSTEM_EVENT_PREFIX}"), reject(…) or continueAsNew(…).`,
    },
  );
}

export interface CheckedEvent {
  readonly event: NewEvent & { readonly schema: number };
  readonly bytes: number;
}

/** A JSON round trip: the data as it will be read from the log, detached from what `decide` returned. */
export function checkedEvent(workflow: AnyWorkflow, id: string, body: unknown): CheckedEvent {
  checkBody(workflow, body);
  const { type, ...rest } = body as Typed & Record<string, unknown>;
  checkBody(workflow, { ...rest, type }); // on the copy: a getter may have returned another value
  checkText('the type of an event', type);
  const { value: data, bytes } = plainJson(`the event ${type}`, rest);
  const event = { schema: workflow.version, type, data: deepFreeze(`the event ${type}`, data) };
  return { event: { ...event, tags: tagsOf(workflow, id, event) }, bytes };
}

function tagsOf(workflow: AnyWorkflow, id: string, { type, data }: NewEvent): readonly string[] {
  if (!workflow.tags) return [];
  const place = () =>
    ({ callback: 'tags', workflow: workflow.name, id, subject: `the event ${type}` }) as const;
  return callUserCode(place, () => workflow.tags!(deepFreeze('the event', { ...data, type })), checkedTags);
}

function checkedTags(tags: unknown): readonly string[] {
  if (!Array.isArray(tags))
    throw new SeineError('usage', `it returned ${formatValue(tags)}, not an array of strings`, {
      hint: 'Return [] for an event without tags.',
    });
  const copy: unknown[] = itemsOf(tags, MAX_TAGS, (length) => ({
    message: `it returned ${length} tags; the maximum is ${MAX_TAGS}`,
    hint: 'Keep those that others subscribe to.',
  })); // a hole is undefined here, and rejected
  for (const tag of copy) checkText('a tag', tag);
  return copy as string[];
}

/** Limits for the events of one command. */
export function checkTotals(events: readonly CheckedEvent[]): void {
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
  if (events.length > MAX_EVENTS || bytes > MAX_TOTAL_BYTES)
    throw new SeineError(
      'limit',
      `it returned ${events.length} events of ${bytes} bytes; the maximum is ${MAX_EVENTS} of ${MAX_TOTAL_BYTES} bytes together`,
      { hint: 'Split the work into several commands.' },
    );
}
