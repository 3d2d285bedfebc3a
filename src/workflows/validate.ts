/** Validates a value by its schema. The validator's output is used: it may add defaults or convert. */
import { messageOf, SeineError } from '../base/errors.ts';
import type { Schema } from './define.ts';
import { formatValue, isPromise, toReadableError } from './user-code/code-error.ts';
import { itemsOf } from './user-code/copy.ts';
import { runCode } from './user-code/running-code.ts';
import { timerMs, type Wait } from './wait.ts';

/** Default timeout of an asynchronous validator. */
const TIMEOUT: Wait = { seconds: 5 };
/** Issues of one value. */
const MOST_ISSUES = 10_000;

/** `what` is the subject of the error message: "The command place of order order-7". */
export async function validate<T>(
  schema: Schema<T>,
  value: unknown,
  what: string,
  timeout: Wait = TIMEOUT,
): Promise<T> {
  const { issues, value: valid } = await answerOf(
    schema,
    value,
    what,
    timerMs(timeout, `${what} has a schema with the timeout`),
  );
  if (issues === undefined) return valid as T;
  throw new SeineError('usage', `${what} is not what its schema says: ${issues}.`, {
    hint: 'Correct it, or the schema in the definition of the workflow.',
  });
}

/** The validator is user code too: it may throw, return anything, and never end. */
async function answerOf<T>(schema: Schema<T>, value: unknown, what: string, ms: number): Promise<Read<T>> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = runCode('schema', what, () => schema['~standard'].validate(value));
    if (!isPromise(answer)) return read(answer as Answer<T>);
    timer = setTimeout(() => late.reject(new SeineError('limit', `it took longer than ${ms} ms`)), ms);
    return read(await Promise.race([answer, late.promise]));
  } catch (thrown) {
    const cause = toReadableError(thrown);
    const why =
      cause instanceof Error ? messageOf(cause).replace(/\.$/, '') : `it threw ${formatValue(cause)}`;
    throw new SeineError('internal', `${what} could not be checked by its schema: ${why}.`, {
      hint: 'Correct the schema in the definition of the workflow; it must depend only on the value.',
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

type Answer<T> = Awaited<ReturnType<Schema<T>['~standard']['validate']>>;
type Read<T> = { readonly value?: T; readonly issues?: string };

function read<T>(answer: Answer<T>): Read<T> {
  if (typeof answer !== 'object' || answer === null || !('value' in answer || 'issues' in answer))
    throw new TypeError(`it returned ${formatValue(answer)}, neither { value } nor { issues }`);
  const { issues } = answer;
  if (!issues) return { value: answer.value as T };
  const all = itemsOf(issues, MOST_ISSUES, (length) => ({
    message: `it found ${length} issues; the maximum is ${MOST_ISSUES}`,
    hint: 'Let the schema stop at the first ones.',
  }));
  const sentences = all.map(({ message, path = [] }) =>
    [path.map(nameOf).join('.'), String(message).trim().replace(/\.$/, '')].filter(Boolean).join(': '),
  );
  return { issues: sentences.join('; ') };
}

/** An element of a path is a key, or an object with one. */
function nameOf(part: unknown): string {
  const key = typeof part === 'object' && part !== null && 'key' in part ? part.key : part;
  return String(key);
}
