import { messageOf, SeineError } from '../../base/errors.ts';
import { CredentialRefused } from '../credential-refused.ts';
import { networkFailure } from '../store/network-failure.ts';
import { retryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { GcsError } from './gcs-http.ts';
import { type GcsRequest, wordsFor } from './gcs-words.ts';

/** The service's answer, the network's error, or ours, in clear words. */
export function explainGcs(error: unknown, request: GcsRequest): StoreFailure {
  if (!(error instanceof GcsError)) {
    return networkFailure(error, request.where) ?? { error: unexpected(error) };
  }
  const throttled = error.status === 429 || error.status === 503 || /rateLimitExceeded/i.test(error.reason);
  const { kind, message, hint, retry = false, everywhere } = wordsFor(error, request);
  const Refusal = everywhere ? CredentialRefused : SeineError;
  const again = throttled || retry || (everywhere === true && request.isRenewed?.() === true);
  return {
    error: new Refusal(kind, message, { ...(hint && { hint }), retry: again, cause: error }),
    ...(throttled && { throttled, retryAfterMs: retryAfterMs(error.retryAfter) }),
  };
}

/** Nothing was sent: there are no credentials, or they could not be fetched. */
export function noCredentials(error: unknown, retry = false): SeineError {
  const message = messageOf(error).split('\n')[0]!.replace(/\.$/, '');
  return new CredentialRefused(
    'permission',
    `There are no usable credentials for Google Cloud: ${message}.`,
    {
      hint:
        'Sign in (gcloud auth application-default login), or set GOOGLE_APPLICATION_CREDENTIALS, or give a keyFile, a token or ' +
        '"anonymous" in seine.yaml.',
      retry,
    },
  );
}

function unexpected(error: unknown): SeineError {
  if (/credential|authenticat/i.test(messageOf(error))) return noCredentials(error);
  const message = `The request to Google Cloud Storage failed: ${messageOf(error)}.`;
  return new SeineError('internal', message, { cause: error });
}
