/** What user code threw or returned, as text and JSON that can be stored: whatever it is, and whatever its getters do. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { storable } from '../../db/storable.ts';
import { MOST_BYTES } from '../../events/append-store.ts';

const MOST_OF_ERROR = 4000;
/** What an event has around a result. */
const ENVELOPE = 16;

/** The message, cut to 4,000 characters. */
export function errorText(error: unknown): string {
  const message = storable(rawMessage(error)).toWellFormed();
  return message.length > MOST_OF_ERROR ? `${message.slice(0, MOST_OF_ERROR - 1).toWellFormed()}…` : message;
}

function rawMessage(error: unknown): string {
  if (error === null || error === undefined) return `It threw ${error} instead of an error.`;
  try {
    const { message } = error as { message?: unknown };
    // Cut before anything reads it from one end to the other.
    if (typeof message === 'string')
      return (
        messageOf({ message: message.slice(0, 2 * MOST_OF_ERROR) }) || 'It threw an error without a message.'
      );
    return messageOf(String(error).slice(0, 2 * MOST_OF_ERROR));
  } catch {
    return 'It threw something whose message cannot be read.';
  }
}

/** Another try won't help: it would return the same. */
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
  if (bytes + ENVELOPE > MOST_BYTES)
    throw new SeineError('limit', `${what} has ${bytes} bytes; ${MOST_BYTES - ENVELOPE} are the most.`, {
      hint: 'Keep large things elsewhere, and give their address.',
    });
  const refused = REFUSED_ESCAPE.exec(json)?.[1];
  if (refused)
    throw new SeineError(
      'usage',
      `${what} holds ${refused === '0000' ? 'a zero character' : 'half of a surrogate pair'} (\\u${refused}), which no text of the database does.`,
      { hint: 'Leave it out, or encode the bytes as base64.' },
    );
  return json;
}

/** JSON spells both out. Behind an even number of backslashes they are an escape, else the text of one. */
const REFUSED_ESCAPE = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/;
