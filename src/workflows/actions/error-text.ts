/** Converts what user code threw or returned to text and JSON that PostgreSQL can store, whatever it is and whatever its getters do. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import { MAX_EVENT_BYTES } from '../../events/append-store.ts';

const MAX_ERROR_LENGTH = 4000;
/** Bytes of an event around a result. */
const ENVELOPE = 16;

/** The message, truncated to 4,000 characters. */
export function errorText(error: unknown): string {
  const message = sanitizeText(rawMessage(error)).toWellFormed();
  return message.length > MAX_ERROR_LENGTH
    ? `${message.slice(0, MAX_ERROR_LENGTH - 1).toWellFormed()}…`
    : message;
}

function rawMessage(error: unknown): string {
  if (error === null || error === undefined) return `It threw ${error} instead of an error.`;
  try {
    const { message } = error as { message?: unknown };
    // Truncated before any scan of the whole text.
    if (typeof message === 'string')
      return (
        messageOf({ message: message.slice(0, 2 * MAX_ERROR_LENGTH) }) ||
        'It threw an error without a message.'
      );
    return messageOf(String(error).slice(0, 2 * MAX_ERROR_LENGTH));
  } catch {
    return 'It threw something whose message cannot be read.';
  }
}

/** Not retryable: the action would return the same result. */
export function jsonOf(value: unknown, what: string): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value ?? null);
  } catch (cause) {
    throw new SeineError('usage', `${what} can't be written as JSON: ${errorText(cause)}`);
  }
  if (json === undefined)
    throw new SeineError('usage', `${what} can't be written as JSON: it is ${typeof value}.`);
  const bytes = Buffer.byteLength(json);
  if (bytes + ENVELOPE > MAX_EVENT_BYTES)
    throw new SeineError(
      'limit',
      `${what} has ${bytes} bytes; the maximum is ${MAX_EVENT_BYTES - ENVELOPE}.`,
      {
        hint: 'Keep large things elsewhere, and give their address.',
      },
    );
  const refused = UNSTORABLE_ESCAPE.exec(json)?.[1];
  if (refused)
    throw new SeineError(
      'usage',
      `${what} contains ${refused === '0000' ? 'a zero character' : 'a lone surrogate'} (\\u${refused}), which PostgreSQL text cannot store.`,
      { hint: 'Leave it out, or encode the bytes as base64.' },
    );
  return json;
}

/** JSON escapes both. After an even number of backslashes it is an escape; after an odd number it is literal text. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/;
