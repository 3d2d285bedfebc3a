import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { elementIn } from './xml.ts';

/** Also through the proxy that the environment names. */
const SOCKETS = { keepAlive: true, maxSockets: 64, proxyEnv: process.env };
const plain = new HttpAgent(SOCKETS);
const secure = new HttpsAgent(SOCKETS);
/** An explanation is never longer than this. */
const EXPLANATION = 1 << 16;

/** A path and parameters, as yet without a word on who is asking. */
export interface AzureCall {
  /** Escaped, with the account in front where the endpoint has it there. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that is an error. */
export class AzureError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends one request, and nothing a second time. Plain HTTP and not the provider's package: that needs half a second of computing
 * for a page of 5,000 names. Throws an AzureError for every answer that is none of the wanted ones.
 */
export async function get(endpoint: URL, call: AzureCall, signal: AbortSignal): Promise<IncomingMessage> {
  const answer = await send(endpoint, call, signal);
  if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
  throw errorOf(answer, await textOf(answer, EXPLANATION));
}

export async function getText(endpoint: URL, call: AzureCall, signal: AbortSignal): Promise<string> {
  return textOf(await get(endpoint, call, signal), Number.POSITIVE_INFINITY);
}

function send(endpoint: URL, call: AzureCall, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = endpoint.protocol === 'https:';
    const request = isSecure ? requestHttps : requestHttp;
    const query = Object.entries(call.parameters).map((pair) => pair.map(encodeURIComponent).join('='));
    const options = {
      hostname: endpoint.hostname,
      port: endpoint.port,
      // As it is: a URL would take `a/../b` for `b`.
      path: query.length === 0 ? call.path : `${call.path}?${query.join('&')}`,
      headers: { 'user-agent': 'seine', ...call.headers },
      agent: isSecure ? secure : plain,
      signal,
    };
    request(options, resolve).on('error', reject).end();
  });
}

async function textOf(answer: IncomingMessage, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > most) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** `<Error><Code>…</Code><Message>…</Message></Error>`; the code is also in a header. Further lines only repeat ids. */
function errorOf({ statusCode = 0, headers }: IncomingMessage, text: string): AzureError {
  const code = headers['x-ms-error-code']?.toString() ?? elementIn(text, 'Code') ?? '';
  const [message = ''] = (elementIn(text, 'Message') ?? '').split('\n');
  return new AzureError(statusCode, code, message.trim().replace(/\.$/, ''), headers['retry-after']);
}
