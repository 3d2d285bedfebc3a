import type { Readable } from 'node:stream';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { ByteRange } from '../source.ts';
import type { ReadObject } from './store-client.ts';

/** A good answer to the request for an object, or for a part of it. */
export interface Content {
  readonly status: number | undefined;
  /** Their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/**
 * The body, if it holds the wanted bytes as they are stored: other bytes would pass for the object's. A part may end early
 * (the rest is asked for then), but it must begin where it should. Else the response is closed and the reason thrown.
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

/** An encoding that was stored with the object leaves its length as it was listed; one that was added or removed on the way does not. */
function encodingProblem({ status, headers }: Content, size: number): string | null {
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (/^(|identity|aws-chunked)$/.test(encoding)) return null;
  // Google sends this header for the encoding that the object is stored with.
  if (headers['x-goog-stored-content-encoding'] === encoding) return null;
  if (status === 206 || Number(headers['content-length']) === size) return null;
  return `it was encoded on the way (${encoding})`;
}
