import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { codeOf, messageOf, SeineError } from '../../../base/errors.ts';
import { type Address, type AddressPolicy, resolveAllowed } from './resolve.ts';

/** What the receiver said; the text of its answer is of no use to us and not kept. */
export interface WebhookResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The receiver's own time, for a `Retry-After` that names one. */
  readonly date: string | undefined;
}

export interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly reachable: AddressPolicy;
  readonly timeoutMs: number;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

/** Sends once, from looking up the name to the end of the answer in `timeoutMs`. A redirect is an answer like others. */
export async function post(request: PostRequest, stop: AbortSignal): Promise<WebhookResponse> {
  const late = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([stop, late]);
  try {
    return await send(
      request,
      await raceAbort(resolveAllowed(hostOf(request.url), request.reachable), signal),
      signal,
    );
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof SeineError) throw error;
    const why = late.aborted
      ? `did not answer in ${request.timeoutMs / 1000} seconds`
      : `could not be reached (${codeOf(error) ?? messageOf(error)})`;
    throw new SeineError('unavailable', `The receiver ${why}.`, { cause: error });
  }
}

/** An IPv6 address stands in brackets in a URL. Numbers like 0x7f000001 or 0177.1 have become plain addresses there. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function send(
  { url, headers, body }: PostRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, lookup: pinned(addresses), agent: false as const, signal };
    const sent: ClientRequest = request(url, options, (answer) => resolve(readResponse(answer)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Answers every question with the addresses that were checked. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0]!;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** The status counts as soon as it is there. The rest is taken in so that the receiver can finish, up to a limit. */
async function readResponse(answer: IncomingMessage): Promise<WebhookResponse> {
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // Broken off or too slow: it was said what had to be said.
  } finally {
    answer.destroy();
  }
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers['retry-after'],
    date: answer.headers.date,
  };
}

/** Name resolution can't be broken off, only left alone. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
