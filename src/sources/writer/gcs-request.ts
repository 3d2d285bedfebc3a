import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { GcsError } from '../gcs/gcs-http.ts';

/** Also through the proxy that the environment names. */
const SOCKETS = { keepAlive: true, maxSockets: 16, proxyEnv: process.env };
const plain = new HttpAgent(SOCKETS);
const secure = new HttpsAgent(SOCKETS);

export interface GcsWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface GcsWritten {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Sends one request. 308 says of an upload that it goes on; everything else beyond 2xx is an error. */
export async function sendGcs(url: URL, write: GcsWrite, signal: AbortSignal): Promise<GcsWritten> {
  const answer = await send(url, write, signal);
  const text = Buffer.concat(await answer.toArray()).toString('utf8');
  const { statusCode: status = 0, headers } = answer;
  if (status === 308 || (status >= 200 && status < 300)) return { status, headers };
  const { message, reason } = explanationIn(text);
  throw new GcsError(status, reason, message, headers['retry-after']);
}

function send(url: URL, { method, headers, body }: GcsWrite, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const request = isSecure ? requestHttps : requestHttp;
  const length = { 'content-length': String(body?.length ?? 0) };
  const options = { method, headers: { ...headers, ...length }, signal, agent: isSecure ? secure : plain };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}

function explanationIn(text: string): { message: string; reason: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; errors?: { reason?: string }[] } };
    return { message: error?.message ?? '', reason: error?.errors?.[0]?.reason ?? '' };
  } catch {
    return { message: text.split('\n')[0]!.slice(0, 300), reason: '' };
  }
}
