import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MAX_ERROR_BYTES, MAX_LISTING_BYTES, readText, sendRequest } from '../http/request.ts';

/** An error response. */
export class GcsError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly retryAfter: string | undefined;

  constructor(status: number, reason: string, message: string, retryAfter: string | undefined) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends one request, without retries. Uses plain HTTP because the provider's package follows pages, retries and decompresses by itself.
 * Throws a GcsError for every unexpected status.
 */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const answer = await send(url, { headers }, signal);
  if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
  throw errorOf(answer, await readText(answer, MAX_ERROR_BYTES, 'cut'));
}

export async function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await get(url, headers, signal);
  const text = await readText(answer, MAX_LISTING_BYTES);
  try {
    return JSON.parse(text);
  } catch {
    throw new GcsError(answer.statusCode ?? 0, '', 'the answer was cut off', undefined);
  }
}

export interface GcsWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface GcsWritten {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Every status other than 2xx is an error, except 308 for a `piece` of an upload, which means that the upload continues. */
export async function sendWrite(
  url: URL,
  write: GcsWrite,
  signal: AbortSignal,
  piece?: 'piece',
): Promise<GcsWritten> {
  const length = { 'content-length': String(write.body?.length ?? 0) };
  const answer = await send(url, { ...write, headers: { ...write.headers, ...length } }, signal);
  const text = await readText(answer, MAX_ERROR_BYTES, 'cut');
  const { statusCode: status = 0, headers } = answer;
  if ((piece && status === 308) || (status >= 200 && status < 300)) return { status, headers };
  throw errorOf(answer, text);
}

function send(
  url: URL,
  { headers, ...rest }: Omit<GcsWrite, 'method'> & Partial<Pick<GcsWrite, 'method'>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const path = url.pathname + url.search;
  return sendRequest(
    'gcs',
    { ...rest, to: url, path, headers: { 'user-agent': 'seine', ...headers } },
    signal,
  );
}

/** Parses `{"error": {"code": …, "message": …, "errors": [{"reason": …}]}}`, or plain text if an object was requested. */
function errorOf({ statusCode = 0, headers }: IncomingMessage, text: string): GcsError {
  const { message, reason } = parseErrorBody(text);
  return new GcsError(statusCode, reason, message, headers['retry-after']);
}

/** The longest name has 1,024 bytes. */
const MAX_LINE = 2048;

function parseErrorBody(text: string): { message: string; reason: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; errors?: { reason?: string }[] } };
    return { message: error?.message ?? '', reason: error?.errors?.[0]?.reason ?? '' };
  } catch {
    const [line = ''] = text.split('\n', 1);
    // Only if complete: it may contain a name, and masking would not recognise a truncated value.
    return { message: line.length > MAX_LINE ? '' : line, reason: '' };
  }
}
