import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SeineError } from '../../base/errors.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { agentsFor, type Provider } from './agents.ts';

export interface HttpRequest {
  /** GET by default. */
  readonly method?: string;
  /** A URL is accepted too; only these three fields are used. */
  readonly to: {
    readonly protocol: string;
    readonly hostname: string;
    readonly port?: string | number | undefined;
  };
  /** Escaped, with the query. Sent verbatim: the URL class would normalise `a/../b` to `b`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Object metadata is sent in headers, which Node limits to 16 kB by default. */
const MAX_HEADER_BYTES = 1 << 18;
/** Limit for the body of an error response. */
export const MAX_ERROR_BYTES = 1 << 16;
/** Larger than any page of 5,000 names of maximum length with all the metadata allowed. */
export const MAX_LISTING_BYTES = 1 << 28;

/**
 * Sends one request, without retries. Redirects are not followed, so that no credential is sent to another host. Resolves when the
 * response headers have arrived.
 */
export async function sendRequest(
  provider: Provider,
  { method = 'GET', to, path, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { http, https } = agentsFor(provider);
  const isSecure = to.protocol === 'https:';
  const options = {
    method,
    // Without the brackets of an IPv6 address in a URL.
    hostname: to.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(to.port && { port: to.port }),
    path,
    headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    agent: isSecure ? https : http,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = isSecure ? requestHttps(options, resolve) : requestHttp(options, resolve);
    request.on('error', reject).end(body);
  });
  if (answer.statusCode !== 407) return answer;
  await readText(answer, MAX_ERROR_BYTES, 'cut');
  throw proxyLogin();
}

/** The body as text. Throws if it is longer than `max`; with `cut` it is truncated instead. */
export async function readText(answer: IncomingMessage, max: number, cut?: 'cut'): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= max) continue;
    if (cut) break; // closes the connection
    throw new SeineError('corrupt', `The store sent an answer of more than ${max >> 20} MiB.`, {
      hint: 'Check that the endpoint is that of an object store.',
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The same for every object. */
export function proxyLogin(): SeineError {
  return new AuthenticationError('permission', 'The proxy requires authentication (407).', {
    hint: 'Write it into HTTP_PROXY or HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT, with special characters escaped (%40 for @).',
  });
}
