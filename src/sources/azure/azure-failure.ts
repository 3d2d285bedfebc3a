import { messageOf, SeineError } from '../../base/errors.ts';
import { ArchivedObject } from '../archived.ts';
import { CredentialRefused } from '../credential-refused.ts';
import { networkFailure } from '../store/network-failure.ts';
import { retryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { AzureError } from './azure-http.ts';
import { type AzureRequest, wordsFor } from './azure-words.ts';

/** The service's answer, the network's error, or ours, in clear words. */
export function explainAzure(error: unknown, request: AzureRequest): StoreFailure {
  if (!(error instanceof AzureError))
    return networkFailure(error, request.endpoint) ?? { error: unexpected(error) };
  const throttled = error.status === 429 || error.status === 503;
  const { kind, message, hint, retry = false, everywhere, archived } = wordsFor(error, request);
  const Refusal = everywhere ? CredentialRefused : archived ? ArchivedObject : SeineError;
  const again = throttled || retry || (everywhere === true && request.isRenewed?.() === true);
  return {
    error: new Refusal(kind, message, { ...(hint && { hint }), retry: again, cause: error }),
    ...(throttled && { throttled, retryAfterMs: retryAfterMs(error.retryAfter) }),
  };
}

/** The service has understood, and won't do it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof AzureError)) return false;
  const { status } = error;
  return (status >= 400 && status < 500 && status !== 408 && status !== 429) || status === 501;
}

/** Nothing was sent: there are no credentials, or they could not be fetched. */
export function noCredentials(error: unknown, retry = false): SeineError {
  return new CredentialRefused(
    'permission',
    `There are no usable credentials for Azure: ${firstLine(error)}.`,
    {
      hint:
        'Sign in (az login), or set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or give ' +
        'credentials or "anonymous" in seine.yaml.',
      retry,
    },
  );
}

function unexpected(error: unknown): SeineError {
  return new SeineError('internal', `The request to Azure failed: ${firstLine(error)}.`, { cause: error });
}

/** The package repeats ids of the request in the others. */
function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]!.trim().replace(/\.$/, '');
}
