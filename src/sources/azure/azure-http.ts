import type { IncomingMessage } from 'node:http';
import { MAX_ERROR_BYTES, readText, sendRequest } from '../http/request.ts';
import { elementIn } from './xml.ts';

/** A path and parameters, not yet authenticated. */
export interface AzureCall {
  /** Escaped; begins with the account if the endpoint requires it. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** GET by default. */
  readonly method?: 'PUT';
  readonly body?: Uint8Array;
}

/** An error response. */
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
 * Sends one request, without retries. Uses plain HTTP because the provider's package needs half a second of CPU time for a page of 5,000
 * names. Throws an AzureError for every unexpected status.
 */
export async function get(endpoint: URL, call: AzureCall, signal: AbortSignal): Promise<IncomingMessage> {
  return send(endpoint, call, [200, 206], signal);
}

export async function put(endpoint: URL, call: AzureCall, signal: AbortSignal): Promise<void> {
  const answer = await send(endpoint, call, [201], signal);
  await readText(answer, MAX_ERROR_BYTES, 'cut');
}

async function send(
  to: URL,
  { path, parameters, headers, ...call }: AzureCall,
  okStatuses: readonly number[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const query = Object.entries(parameters).map((pair) => pair.map(encodeURIComponent).join('='));
  const request = {
    ...call,
    to,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: { 'user-agent': 'seine', ...headers },
  };
  const answer = await sendRequest('azure', request, signal);
  if (okStatuses.includes(answer.statusCode ?? 0)) return answer;
  throw errorOf(answer, await readText(answer, MAX_ERROR_BYTES, 'cut'));
}

/** Parses `<Error><Code>…</Code><Message>…</Message></Error>`; the code is also in a header. Further lines only repeat ids. */
function errorOf({ statusCode = 0, headers }: IncomingMessage, text: string): AzureError {
  const code = headers['x-ms-error-code']?.toString() ?? elementIn(text, 'Code') ?? '';
  const [message = ''] = (elementIn(text, 'Message') ?? '').split('\n');
  return new AzureError(statusCode, code, message.trim().replace(/\.$/, ''), headers['retry-after']);
}
