import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { codeOf, messageOf, SeineError } from '../../../base/errors.ts';
import { type Address, type AddressPolicy, resolveAllowed } from './resolve.ts';

/** The response of the receiver, without its body. */
export interface WebhookResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The receiver's clock, for a `Retry-After` with a date. */
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

/**
 * Sends one request; `timeoutMs` covers everything from the name lookup to the end of the response.
 * Redirects are not followed.
 */
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

/**
 * IPv6 addresses are in brackets in a URL. Forms such as 0x7f000001 or 0177.1 have been normalised by the
 * parser.
 */
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

/** A lookup that returns the checked addresses, against DNS rebinding. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0]!;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** The status is sufficient. The rest is read, up to a limit, so that the receiver can finish. */
async function readResponse(answer: IncomingMessage): Promise<WebhookResponse> {
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // Aborted or too slow: the status has been received.
  } finally {
    answer.destroy();
  }
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers['retry-after'],
    date: answer.headers.date,
  };
}

/** Name resolution can't be aborted, only ignored. */
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
