/** Whether a value is what its schema says. What the validator makes of it is what counts: it may fill in or convert. */
import { SeineError } from '../base/errors.ts';
import type { Schema } from './define.ts';

/** `what` begins the sentence about a value that isn't: "The command place of order". */
export async function validate<T>(schema: Schema<T>, value: unknown, what: string): Promise<T> {
  return accepted(await schema['~standard'].validate(value), what);
}

type Answer<T> = Awaited<ReturnType<Schema<T>['~standard']['validate']>>;

function accepted<T>(answer: Answer<T>, what: string): T {
  if (!answer.issues) return answer.value;
  const issues = answer.issues.map(({ message, path = [] }) =>
    [path.map(nameOf).join('.'), message.trim().replace(/\.$/, '')].filter(Boolean).join(': '),
  );
  throw new SeineError('usage', `${what} is not what its schema says: ${issues.join('; ')}.`, {
    hint: 'Correct it, or the schema in the definition of the workflow.',
  });
}

/** A part of a path is a key, or an object with one. */
function nameOf(part: unknown): string {
  const key = typeof part === 'object' && part !== null && 'key' in part ? part.key : part;
  return String(key);
}
