/** Decides one command on one state, without a database. */
import { SeineError } from '../../base/errors.ts';
import type { NewEvent } from '../../events/append-store.ts';
import { CONTINUED_EVENT, Continuation, Rejection } from '../decision.ts';
import type { AnyWorkflow, Circumstances } from '../define.ts';
import { tryFold, type VersionedState } from '../state/fold.ts';
import type { Typed } from '../typed.ts';
import {
  type CheckedEvent,
  checkBody,
  checkedEvent,
  checkTotals,
  MAX_EVENTS,
} from '../user-code/check-event.ts';
import { type CodeLocation, callUserCode, ignoreRejections, withId } from '../user-code/code-error.ts';
import { cloneData, itemsOf } from '../user-code/copy.ts';
import { deepFreeze } from '../user-code/frozen.ts';
import { checkTyped, plainJson } from '../user-code/plain-json.ts';
import { validate } from '../validate.ts';
import { checkCommand } from './check-command.ts';

export type DecideResult =
  | { readonly rejected: string }
  | { readonly events: readonly NewEvent[]; readonly folded: VersionedState };

/** Errors of user code are thrown as an error that names it. */
export async function runDecide(
  workflow: AnyWorkflow,
  folded: VersionedState,
  command: Typed,
  at: Circumstances,
): Promise<DecideResult> {
  checkCommand(workflow, at.id, command);
  const copy = copyOf(workflow, at.id, command);
  checkCommand(workflow, at.id, copy); // on the copy: a getter may have returned another value
  const valid = workflow.schema?.command ? await validCommand(workflow, at.id, copy) : copy;
  const place = (): CodeLocation => {
    return { callback: 'decide', workflow: workflow.name, id: at.id, subject: `the command ${copy.type}` };
  };
  const decision = callUserCode(place, () => workflow.decide(folded.state, valid, at), parseDecision);
  if ('rejected' in decision) return decision;
  const events = await newEvents(workflow, at.id, decision, place);
  const numbered = events.map((event, i) => ({ ...event, version: folded.version + i + 1 }));
  const next = tryFold(workflow, folded, numbered, at.id);
  if (next.failure) throw withId(next.failure, at.id);
  return { events, folded: next.folded };
}

/** A copy: mutations by `decide` must reach neither a retry nor the caller. */
function copyOf({ name }: AnyWorkflow, id: string, command: Typed): Typed {
  checkTyped(`The command to ${name} ${id}`, command);
  try {
    return cloneData(command);
  } catch (cause) {
    ignoreRejections(command);
    throw new SeineError(
      'usage',
      `The command ${command.type} to ${name} ${id} is not plain data: ${cause}`,
      {
        hint: 'A command holds values, no functions.',
        cause,
      },
    );
  }
}

async function validCommand(workflow: AnyWorkflow, id: string, command: Typed): Promise<Typed> {
  const { command: schema, timeout } = workflow.schema!;
  const what = `The command ${command.type} of ${workflow.name} ${id}`;
  const valid = await validate(schema!, command, what, timeout);
  checkTyped(`${what}, as its schema has it,`, valid);
  return valid;
}

/** Checks what `decide` returned: a rejection, or events, of which the last may be a continue-as-new. */
function parseDecision(decision: unknown): { rejected: string } | { bodies: unknown[] } {
  if (decision instanceof Rejection) return { rejected: String(decision.reason) };
  if (decision === undefined || decision === null)
    throw new SeineError('usage', `it returned ${decision}`, {
      hint: 'Return events, [] for none, reject(…) or continueAsNew(…).',
    });
  const bodies: unknown[] = Array.isArray(decision)
    ? itemsOf(decision, MAX_EVENTS, (length) => ({
        message: `it returned ${length} events; the maximum is ${MAX_EVENTS}`,
        hint: 'Split the work into several commands.',
      }))
    : [decision];
  if (bodies.slice(0, -1).some((body) => body instanceof Continuation))
    throw new SeineError('usage', 'it returned continueAsNew before its last event', {
      hint: 'Return the events first, then continueAsNew(…): [event, continueAsNew(state)].',
    });
  return { bodies };
}

type VersionedEvent = NewEvent & { readonly schema: number };

async function newEvents(
  workflow: AnyWorkflow,
  id: string,
  { bodies }: { bodies: unknown[] },
  place: () => CodeLocation,
): Promise<VersionedEvent[]> {
  const checked: CheckedEvent[] = [];
  for (const body of bodies) {
    if (body instanceof Continuation) {
      checked.push(callUserCode(place, () => continuedEvent(workflow, body.state)));
      continue;
    }
    callUserCode(place, () => checkBody(workflow, body));
    const valid = workflow.schema?.event ? await validEvent(workflow, id, body as Typed) : body;
    checked.push(callUserCode(place, () => checkedEvent(workflow, id, valid)));
  }
  callUserCode(place, () => checkTotals(checked));
  return checked.map(({ event }) => event);
}

function continuedEvent(workflow: AnyWorkflow, given: unknown): CheckedEvent {
  const { value: state, bytes } = plainJson(
    'the state to continue with',
    deepFreeze('the state to continue with', given),
  );
  const { version: schema, stateVersion } = workflow;
  const data = stateVersion === 1 ? { state } : { state, stateVersion };
  return { event: { schema, type: CONTINUED_EVENT, data: deepFreeze('the state', data) }, bytes };
}

function validEvent(workflow: AnyWorkflow, id: string, body: Typed): Promise<unknown> {
  const { event: schema, timeout } = workflow.schema!;
  return validate(schema!, body, `The event ${body.type} of ${workflow.name} ${id}`, timeout);
}
