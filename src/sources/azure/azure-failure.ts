import { codeOf, messageOf, SeineError } from '../../base/errors.ts';
import { CredentialRefused } from '../credential-refused.ts';
import { networkFailure } from '../store/network-failure.ts';
import { retryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { AzureError } from './azure-http.ts';
import { type AzureRequest, wordsFor } from './azure-words.ts';

/** The service's answer, the network's error, or ours, in clear words. The provider's package may have been between. */
export function explainAzure(error: unknown, request: AzureRequest): StoreFailure {
  const answer = azureAnswerIn(error);
  if (answer === null)
    return networkFailure(bare(error), request.endpoint) ?? { error: withoutAnswer(error) };
  const throttled = answer.status === 429 || answer.status === 503;
  const { kind, message, hint, retry = false, everywhere } = wordsFor(answer, request);
  const Refusal = everywhere ? CredentialRefused : SeineError;
  return {
    error: new Refusal(kind, message, { ...(hint && { hint }), retry: throttled || retry, cause: answer }),
    ...(throttled && { throttled, retryAfterMs: retryAfterMs(answer.retryAfter) }),
  };
}

/** The service has understood, and won't do it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof AzureError)) return false;
  const { status } = error;
  return (status >= 400 && status < 500 && status !== 408 && status !== 429) || status === 501;
}

/** Also out of an error of the package; null when there was no answer. */
export function azureAnswerIn(error: unknown): AzureError | null {
  if (error instanceof AzureError) return error;
  if (!(error instanceof Error)) return null;
  const told = error as {
    statusCode?: number;
    response?: { headers?: { get(name: string): string | undefined } };
  };
  if (told.statusCode === undefined) return null;
  const headers = told.response?.headers;
  const code = headers?.get('x-ms-error-code') ?? codeOf(error) ?? '';
  return new AzureError(told.statusCode, code, firstLine(error), headers?.get('retry-after'));
}

/** The package's errors hold the whole request, and that may have a SAS token in its URL. Only the words are kept. */
function bare(error: unknown): unknown {
  if (!(error instanceof Error) || !('request' in error)) return error;
  const code = codeOf(error);
  return Object.assign(new Error(error.message), { name: error.name, ...(code !== undefined && { code }) });
}

/** Nothing was sent: there are no credentials, or they could not be fetched. */
function withoutAnswer(error: unknown): SeineError {
  const name = error instanceof Error ? error.name : '';
  if (!/Credential|Authentication/.test(`${name} ${messageOf(error)}`)) {
    return new SeineError('internal', `The request to Azure failed: ${firstLine(error)}.`);
  }
  return new CredentialRefused(
    'permission',
    `There are no usable credentials for Azure: ${firstLine(error)}.`,
    {
      hint:
        'Sign in (az login), or set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or give ' +
        'credentials or "anonymous" in seine.yaml.',
    },
  );
}

/** The package repeats ids of the request in the others. */
function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]!.trim().replace(/\.$/, '');
}
