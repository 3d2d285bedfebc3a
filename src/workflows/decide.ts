/** One command and one state: what comes of it, without a database. */
import { SeineError } from '../base/errors.ts';
import type { NewEvent } from '../events/append-store.ts';
import { checkCommand } from './check-command.ts';
import { CONTINUED, Continuation, Rejection } from './decision.ts';
import type { AnyWorkflow, Circumstances } from './define.ts';
import { type Folded, tryFold } from './fold.ts';
import type { Typed } from './typed.ts';
import {
  type CheckedEvent,
  checkBody,
  checkedEvent,
  checkTogether,
  MOST_EVENTS,
} from './user-code/check-event.ts';
import { type CodePlace, callCode, ignoreRejections, withId } from './user-code/code-error.ts';
import { copyOfData, itemsOf } from './user-code/copy.ts';
import { frozen } from './user-code/frozen.ts';
import { checkTyped, plainJson } from './user-code/plain-json.ts';
import { validate } from './validate.ts';

export type Decided =
  | { readonly rejected: string }
  | { readonly events: readonly NewEvent[]; readonly folded: Folded };

/** What the workflow's code does wrong is thrown, as an error that names it. */
export async function decideOn(
  workflow: AnyWorkflow,
  folded: Folded,
  command: Typed,
  at: Circumstances,
): Promise<Decided> {
  checkCommand(workflow, at.id, command);
  const copy = copyOf(workflow, at.id, command);
  checkCommand(workflow, at.id, copy); // a getter may have answered otherwise
  const valid = workflow.schema?.command ? await validCommand(workflow, at.id, copy) : copy;
  const place = (): CodePlace => {
    return { callback: 'decide', workflow: workflow.name, id: at.id, subject: `the command ${copy.type}` };
  };
  const decision = callCode(place, () => workflow.decide(folded.state, valid, at), decisionOf);
  if ('rejected' in decision) return decision;
  const events = await newEvents(workflow, at.id, decision, place);
  const told = events.map((event, i) => ({ ...event, version: folded.version + i + 1 }));
  const next = tryFold(workflow, folded, told, at.id);
  if (next.failure) throw withId(next.failure, at.id);
  return { events, folded: next.folded };
}

/** Whatever `decide` does to its command, another try and the caller have it unchanged. */
function copyOf({ name }: AnyWorkflow, id: string, command: Typed): Typed {
  checkTyped(`The command to ${name} ${id}`, command);
  try {
    return copyOfData(command);
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

/** What `decide` returned: rejected, or events, of which the last may be a new beginning. */
function decisionOf(decision: unknown): { rejected: string } | { bodies: unknown[] } {
  if (decision instanceof Rejection) return { rejected: String(decision.reason) };
  if (decision === undefined || decision === null)
    throw new SeineError('usage', `it returned ${decision}`, {
      hint: 'Return events, [] if there is nothing to say, reject(…) or continueAsNew(…).',
    });
  const bodies: unknown[] = Array.isArray(decision)
    ? itemsOf(decision, MOST_EVENTS, (length) => ({
        message: `it returned ${length} events; ${MOST_EVENTS} are the most`,
        hint: 'Divide the work among several commands.',
      }))
    : [decision];
  if (bodies.slice(0, -1).some((body) => body instanceof Continuation))
    throw new SeineError('usage', 'it returned continueAsNew before its last event', {
      hint: 'Return the events first, then continueAsNew(…): [event, continueAsNew(state)].',
    });
  return { bodies };
}

type Written = NewEvent & { readonly schema: number };

async function newEvents(
  workflow: AnyWorkflow,
  id: string,
  { bodies }: { bodies: unknown[] },
  place: () => CodePlace,
): Promise<Written[]> {
  const checked: CheckedEvent[] = [];
  for (const body of bodies) {
    if (body instanceof Continuation) {
      checked.push(callCode(place, () => newBeginning(workflow, body.state)));
      continue;
    }
    callCode(place, () => checkBody(workflow, body));
    const valid = workflow.schema?.event ? await validEvent(workflow, id, body as Typed) : body;
    checked.push(callCode(place, () => checkedEvent(workflow, id, valid)));
  }
  callCode(place, () => checkTogether(checked));
  return checked.map(({ event }) => event);
}

function newBeginning(workflow: AnyWorkflow, given: unknown): CheckedEvent {
  const { value: state, bytes } = plainJson(
    'the state to continue with',
    frozen('the state to continue with', given),
  );
  const { version: schema, stateVersion } = workflow;
  const data = stateVersion === 1 ? { state } : { state, stateVersion };
  return { event: { schema, type: CONTINUED, data: frozen('the state', data) }, bytes };
}

function validEvent(workflow: AnyWorkflow, id: string, body: Typed): Promise<unknown> {
  const { event: schema, timeout } = workflow.schema!;
  return validate(schema!, body, `The event ${body.type} of ${workflow.name} ${id}`, timeout);
}
