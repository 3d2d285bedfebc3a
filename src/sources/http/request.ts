import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SeineError } from '../../base/errors.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { agentsFor, type Provider } from './agents.ts';

export interface HttpRequest {
  /** GET unless told. */
  readonly method?: string;
  /** Also a URL: only these three are taken from it. */
  readonly to: {
    readonly protocol: string;
    readonly hostname: string;
    readonly port?: string | number | undefined;
  };
  /** Escaped, with the query. Sent as it is: a URL would take `a/../b` for `b`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What stands in the metadata of an object comes in headers; Node takes only 16 kB unless told. */
const MAX_HEADER_BYTES = 1 << 18;
/** The explanation of an error. */
export const MAX_ERROR_BYTES = 1 << 16;
/** A page of 5,000 names, each as long as can be and with all the metadata it can have, is smaller. */
export const MAX_LISTING_BYTES = 1 << 28;

/**
 * Sends one request, and nothing a second time: a redirect is an answer like any other, so no credential gets to another host.
 * Resolves when the headers of the answer are there.
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
    // Without the brackets that an IPv6 address has in a URL.
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

/** The body as text. Throws when it is longer; `cut` takes only its beginning then. */
export async function readText(answer: IncomingMessage, max: number, cut?: 'cut'): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length <= max) continue;
    if (cut) break; // which closes the connection
    throw new SeineError('corrupt', `The store sent an answer of more than ${max >> 20} MiB.`, {
      hint: 'Check that the endpoint is that of an object store.',
    });
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The same for every object. */
export function proxyLogin(): SeineError {
  return new AuthenticationError('permission', 'The proxy wants a login (407).', {
    hint: 'Write it into HTTP_PROXY or HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT, with special characters escaped (%40 for @).',
  });
}
