import { messageOf, SeineError } from '../../base/errors.ts';
import { ArchivedObjectError } from '../archived.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import { parseRetryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { type AzureRequest, errorTextFor } from './azure-error-messages.ts';
import { AzureError } from './azure-http.ts';

/** Maps an error of the service, of the network or of the client to an error message. */
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

/** Whether the service understood the request and denied it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof AzureError)) return false;
  const { status } = error;
  return (status >= 400 && status < 500 && status !== 408 && status !== 429) || status === 501;
}

/** No request was sent, because there are no credentials or they could not be obtained. */
export function noCredentials(error: unknown, retry = false): SeineError {
  return new AuthenticationError('permission', `No usable credentials for Azure: ${firstLine(error)}.`, {
    hint:
      'Sign in (az login), or set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or give ' +
      'credentials or "anonymous" in seine.yaml.',
    retry,
  });
}

function unexpected(error: unknown): SeineError {
  return new SeineError('internal', `The request to Azure failed: ${firstLine(error)}.`, { cause: error });
}

/** The package repeats request ids in further lines. */
function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]!.trim().replace(/\.$/, '');
}
