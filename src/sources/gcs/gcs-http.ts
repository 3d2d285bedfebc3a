import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** Also through the proxy that the environment names. */
const SOCKETS = { keepAlive: true, maxSockets: 64, proxyEnv: process.env };
const plain = new HttpAgent(SOCKETS);
const secure = new HttpsAgent(SOCKETS);
/** An explanation is never longer than this. */
const EXPLANATION = 1 << 16;

/** An answer that is an error. */
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
 * Sends one request, and nothing a second time. Plain HTTP and not the provider's package, because that follows pages, tries again and
 * unpacks by itself. Throws a GcsError for every answer that is none of the wanted ones.
 */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const answer = await send(url, headers, signal);
  if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
  throw errorOf(answer, await textOf(answer, EXPLANATION));
}

export async function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await get(url, headers, signal);
  const text = await textOf(answer, Number.POSITIVE_INFINITY);
  try {
    return JSON.parse(text);
  } catch {
    throw new GcsError(answer.statusCode ?? 0, '', 'the answer was cut off', undefined);
  }
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const request = isSecure ? requestHttps : requestHttp;
    const agent = isSecure ? secure : plain;
    request(url, { headers: { 'user-agent': 'seine', ...headers }, signal, agent }, resolve)
      .on('error', reject)
      .end();
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

/** `{"error": {"code": …, "message": …, "errors": [{"reason": …}]}}`, or plain text where an object was asked for. */
function errorOf({ statusCode = 0, headers }: IncomingMessage, text: string): GcsError {
  const { message, reason } = explanationIn(text);
  return new GcsError(statusCode, reason, message, headers['retry-after']);
}

function explanationIn(text: string): { message: string; reason: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; errors?: { reason?: string }[] } };
    return { message: error?.message ?? '', reason: error?.errors?.[0]?.reason ?? '' };
  } catch {
    return { message: text.split('\n')[0]!.slice(0, 300), reason: '' };
  }
}
