import { codeOf, messageOf, SeineError } from '../../base/errors.ts';
import { networkFailure } from '../store/network-failure.ts';
import { retryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { type AzureAnswer, type AzureRequest, wordsFor } from './azure-words.ts';

/**
 * The package's error, the network's, or ours, in clear words. The package's own is not passed on as the cause: it holds
 * the whole request, and that may have a SAS token in its URL.
 */
export function explainAzure(error: unknown, request: AzureRequest): StoreFailure {
  if (error instanceof SeineError) return { error };
  const answer = answerIn(error);
  if (answer === null)
    return networkFailure(bare(error), request.endpoint) ?? { error: withoutAnswer(error) };
  const throttled = answer.status === 429 || answer.status === 503;
  const { kind, message, hint, retry = false } = wordsFor(answer, request);
  return {
    error: new SeineError(kind, message, { ...(hint && { hint }), retry: throttled || retry }),
    ...(throttled && { throttled, retryAfterMs: retryAfterMs(answer.retryAfter) }),
  };
}

/** The service has understood, and won't do it. */
export function isRefusal(error: unknown): boolean {
  const status = answerIn(error)?.status ?? 0;
  return (status >= 400 && status < 500 && status !== 408 && status !== 429) || status === 501;
}

/** The condition did not hold. */
export function isChange(error: unknown): boolean {
  return answerIn(error)?.status === 412;
}

/** Its words without the request. */
function bare(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const name = error.name;
  return Object.assign(new Error(error.message), { name, ...(code !== undefined && { code }) });
}

/** Null when there was no answer. */
function answerIn(error: unknown): AzureAnswer | null {
  if (!(error instanceof Error)) return null;
  const told = error as {
    statusCode?: number;
    code?: string;
    details?: { errorCode?: string };
    response?: { headers?: { get(name: string): string | undefined } };
  };
  const status = told.statusCode;
  // A body that was cut off has the status of a good answer.
  if (status === undefined || (status < 300 && told.code !== 'PARSE_ERROR')) return null;
  const headers = told.response?.headers;
  const retryAfter = headers?.get('retry-after');
  // The package would show the whole body.
  if (told.code === 'PARSE_ERROR') return { status, code: '', message: 'the answer was cut off', retryAfter };
  const code = headers?.get('x-ms-error-code') ?? told.details?.errorCode ?? told.code ?? '';
  return { status, code, message: firstLine(error), retryAfter };
}

/** Nothing was sent: there are no credentials, or they could not be fetched. Or the package can't use the answer. */
function withoutAnswer(error: unknown): SeineError {
  const name = error instanceof Error ? error.name : '';
  // So it stumbles over an answer that was cut off.
  if (error instanceof RangeError || error instanceof TypeError) {
    return new SeineError('unavailable', `The answer of Azure makes no sense: ${firstLine(error)}.`);
  }
  if (!/Credential|Authentication/.test(`${name} ${messageOf(error)}`)) {
    return new SeineError('internal', `The request to Azure failed: ${firstLine(error)}.`);
  }
  return new SeineError('permission', `There are no usable credentials for Azure: ${firstLine(error)}.`, {
    hint:
      'Sign in (az login), or set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or give ' +
      'credentials or "anonymous" in seine.yaml.',
  });
}

/** The rest are ids of the request and the same again. */
function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]!.trim().replace(/\.$/, '');
}
