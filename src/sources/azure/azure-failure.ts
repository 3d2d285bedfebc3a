import { messageOf, SeineError } from '../../base/errors.ts';
import { ArchivedObjectError } from '../archived.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import { parseRetryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { type AzureRequest, errorTextFor } from './azure-error-messages.ts';
import { AzureError } from './azure-http.ts';

/** The service's answer, the network's error, or ours, in clear words. */
export function mapAzureError(error: unknown, request: AzureRequest): StoreFailure {
  if (!(error instanceof AzureError))
    return mapNetworkError(error, request.endpoint) ?? { error: unexpected(error) };
  const throttled = error.status === 429 || error.status === 503;
  const { kind, message, hint, retry = false, everywhere, archived } = errorTextFor(error, request);
  const Refusal = everywhere ? AuthenticationError : archived ? ArchivedObjectError : SeineError;
  const again = throttled || retry || (everywhere === true && request.isRenewed?.() === true);
  return {
    error: new Refusal(kind, message, { ...(hint && { hint }), retry: again, cause: error }),
    ...(throttled && { throttled, retryAfterMs: parseRetryAfterMs(error.retryAfter) }),
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
  return new AuthenticationError(
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
