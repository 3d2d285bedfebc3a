import type { Readable } from 'node:stream';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { ByteRange } from '../source.ts';
import type { ReadObject } from './store-client.ts';

/** A successful response to the request for an object, or for a range of it. */
export interface Content {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/**
 * Returns the body if it contains the requested bytes as they are stored; other bytes would be taken for the object's. A range may end
 * early (the rest is then requested), but must begin at the right offset. Otherwise closes the response and throws the reason.
 */
export function checkedBody(content: Content, object: ReadObject, bytes: ByteRange | null): Readable {
  const problem = rangeProblem(content, object, bytes) ?? encodingProblem(content, object.size);
  if (problem === null) return content.body;
  content.body.on('error', () => {}); // closing it early may raise one
  content.body.destroy();
  const message = `${displayKey(object.key)} cannot be read: ${problem}.`;
  throw new SeineError('unavailable', message, {
    hint: 'Check the store, and the proxies before it: ranges and stored bytes must pass unchanged.',
  });
}

function rangeProblem({ status, headers }: Content, { size }: ReadObject, bytes: ByteRange | null) {
  if (status !== 206) return bytes === null ? null : 'it came whole, though a part was asked for';
  const { from, to } = bytes ?? { from: 0, to: size };
  const range = String(headers['content-range'] ?? '');
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range.trim()) ?? [];
  const isWanted = Number(first) === from && Number(last) < to && (total === '*' || Number(total) === size);
  if (isWanted) return null;
  const got = range === '' ? 'a part without Content-Range' : `"${range}"`;
  return `the store sent ${got} for bytes ${from}-${to - 1} of ${size}`;
}

/** An encoding stored with the object does not change its listed length; one added or removed in transit does. */
function encodingProblem({ status, headers }: Content, size: number): string | null {
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (/^(|identity|aws-chunked)$/.test(encoding)) return null;
  // Google sends this header for the encoding that the object is stored with.
  if (headers['x-goog-stored-content-encoding'] === encoding) return null;
  if (status === 206 || Number(headers['content-length']) === size) return null;
  return `it was encoded on the way (${encoding})`;
}
