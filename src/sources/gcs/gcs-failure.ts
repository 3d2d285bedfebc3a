import { messageOf, SeineError } from '../../base/errors.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import { parseRetryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { errorTextFor, type GcsRequest } from './gcs-error-messages.ts';
import { GcsError } from './gcs-http.ts';

/** Maps an error of the service, of the network or of the client to an error message. */
export function mapGcsError(error: unknown, request: GcsRequest): StoreFailure {
  if (!(error instanceof GcsError)) {
    return mapNetworkError(error, request.where) ?? { error: unexpected(error) };
  }
  const throttled = error.status === 429 || error.status === 503 || /rateLimitExceeded/i.test(error.reason);
  const { kind, message, hint, retry = false, everywhere } = errorTextFor(error, request);
  const Refusal = everywhere ? AuthenticationError : SeineError;
  const again = throttled || retry || (everywhere === true && request.isRenewed?.() === true);
  return {
    error: new Refusal(kind, message, { ...(hint && { hint }), retry: again, cause: error }),
    ...(throttled && { throttled, retryAfterMs: parseRetryAfterMs(error.retryAfter) }),
  };
}

/** No request was sent, because there are no credentials or they could not be obtained. */
export function noCredentials(error: unknown, retry = false): SeineError {
  const message = messageOf(error).split('\n')[0]!.replace(/\.$/, '');
  return new AuthenticationError('permission', `No usable credentials for Google Cloud: ${message}.`, {
    hint:
      'Sign in (gcloud auth application-default login), or set GOOGLE_APPLICATION_CREDENTIALS, or give a keyFile, a token or ' +
      '"anonymous" in seine.yaml.',
    retry,
  });
}

function unexpected(error: unknown): SeineError {
  if (/credential|authenticat/i.test(messageOf(error))) return noCredentials(error);
  const message = `The request to Google Cloud Storage failed: ${messageOf(error)}.`;
  return new SeineError('internal', message, { cause: error });
}
