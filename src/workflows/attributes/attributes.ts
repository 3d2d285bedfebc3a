/**
 * Search attributes: plain values of a workflow's state, stored beside it, to find workflows by. Written with the events of a command, and with the
 * reaction to events without a command, such as the result of an action.
 */
import { SeineError } from '../../base/errors.ts';
import type { AnyWorkflow } from '../define.ts';
import { callUserCode } from '../user-code/code-error.ts';

const NAME = /^[a-z_][a-z0-9_]{0,62}$/i;
const MAX_ATTRIBUTES = 32;
const MAX_TEXT_LENGTH = 1000;
/** Years with other than four digits are valid in JavaScript, but would not sort as text. */
const [FIRST_DATE, LAST_DATE] = [Date.parse('0000-01-01'), Date.parse('9999-12-31T23:59:59.999Z')];

/** As JSON. Null when the workflow defines none. */
export function attributesOf(workflow: AnyWorkflow, id: string, state: unknown): string | null {
  if (!workflow.attributes) return null;
  const place = () =>
    ({ callback: 'attributes', workflow: workflow.name, id, subject: 'the state' }) as const;
  return callUserCode(place, () => workflow.attributes!(state), attributesJson);
}

function attributesJson(attributes: unknown): string {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes))
    return fail(`${describe(attributes)} is no object`, 'Return an object of names and values.');
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null);
  if (given.length > MAX_ATTRIBUTES)
    return fail(
      `${given.length} of them; the maximum is ${MAX_ATTRIBUTES}`,
      'Keep those that workflows are searched by.',
    );
  return JSON.stringify(
    Object.fromEntries(
      given.map(([name, value]) => {
        if (!NAME.test(name))
          fail(`"${name}" can't be a name`, 'Use letters, digits and underscores, a letter first.');
        const wrong = attributeProblem(value);
        if (wrong !== null)
          fail(`${name} ${wrong}`, 'An attribute is a string, a number, a boolean or a date.');
        return [name, value];
      }),
    ),
  );
}

function fail(message: string, hint: string): never {
  throw new SeineError('usage', message, { hint });
}

function attributeProblem(value: unknown): string | null {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `is ${value}`;
  if (value instanceof Date)
    return value.getTime() >= FIRST_DATE && value.getTime() <= LAST_DATE
      ? null
      : 'is not a date in the years 0 to 9999';
  if (typeof value !== 'string') return `is ${describe(value)}`;
  if (value.length > MAX_TEXT_LENGTH)
    return `has ${value.length} characters; the maximum is ${MAX_TEXT_LENGTH}`;
  return value.includes('\0') || !value.isWellFormed()
    ? 'contains a character that PostgreSQL text cannot store'
    : null;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `of the type ${typeof value}`;
}
