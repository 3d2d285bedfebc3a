import type { ErrorKind } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { GcsError } from './gcs-http.ts';

/** The request that failed. */
export interface GcsRequest {
  /** Null for a listing. */
  readonly key: Key | null;
  readonly bucket: string;
  /** The server, for messages. */
  readonly where: string;
  /** No credential was sent. */
  readonly isAnonymous?: boolean;
  /** After the credential was rejected: whether the next request will use another one. */
  isRenewed?(): boolean;
}

interface ErrorText {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly retry?: boolean;
  /** The error concerns the credential, not the requested resource. */
  readonly everywhere?: boolean;
}

type ErrorTextBuilder = (request: GcsRequest, answer: GcsError) => ErrorText;

const missingBucket: ErrorTextBuilder = ({ bucket, where }) => ({
  kind: 'not-found',
  message: `No bucket ${bucket} at ${where}.`,
  hint: 'Check the name of the bucket and the endpoint.',
});
const missingObject: ErrorTextBuilder = (request) => ({
  kind: 'not-found',
  message: `${nameOf(request)} does not exist.`,
});
const changed: ErrorTextBuilder = (request) => ({
  kind: 'changed',
  message: `${nameOf(request)} is no longer what was listed.`,
});
const denied: ErrorTextBuilder = ({ key, bucket }) =>
  key === null
    ? {
        kind: 'permission',
        message: `No permission to list the bucket ${bucket}, or it does not exist.`,
        hint: 'The account needs the role Storage Object Viewer on the bucket (storage.objects.list and storage.objects.get).',
      }
    : {
        kind: 'permission',
        message: `No permission to read ${displayKey(key)}.`,
        hint: 'The account needs the role Storage Object Viewer on the bucket (storage.objects.get).',
      };
const anonymousDenied: ErrorTextBuilder = ({ bucket }) => ({
  kind: 'permission',
  message: `The bucket ${bucket} is not public, and no credential was sent.`,
  hint: 'Use a credential instead of "anonymous".',
});
const invalidToken: ErrorTextBuilder = ({ where }) => ({
  kind: 'permission',
  message: `${where} refuses the token: it is wrong or has expired.`,
  hint: 'Get a new one (gcloud auth print-access-token), or omit it and sign in (gcloud auth application-default login).',
  everywhere: true,
});
const disabled: ErrorTextBuilder = ({ where }) => ({
  kind: 'permission',
  message: `${where} refuses the account of the credential: it is disabled.`,
  hint: 'Use a credential of another account.',
  everywhere: true,
});
const payerRequired: ErrorTextBuilder = ({ bucket }) => ({
  kind: 'usage',
  message: `The bucket ${bucket} is requester-pays, and no project to bill is configured.`,
  hint: 'Set requester_pays and project in seine.yaml.',
});
const failed: ErrorTextBuilder = ({ where }, { status, message }) => ({
  kind: 'unavailable',
  message: `${where} failed: ${message || 'no reason was given'} (${status}).`,
  retry: true,
});
const redirected: ErrorTextBuilder = ({ where }, { status }) => ({
  kind: 'unavailable',
  message: `${where} redirects to another address (${status}).`,
  hint: 'Set the endpoint to the address of the store itself: redirects are not followed, because credentials are sent.',
  retry: true,
});
const refused: ErrorTextBuilder = ({ where }, { status, message }) => ({
  kind: 'usage',
  message: `${where} refused the request: ${message || 'no reason was given'} (${status}).`,
});

export function errorTextFor(answer: GcsError, request: GcsRequest): ErrorText {
  return errorTextBuilderFor(answer, request)(request, answer);
}

function errorTextBuilderFor(
  { status, reason, message }: GcsError,
  { key, isAnonymous }: GcsRequest,
): ErrorTextBuilder {
  if (status === 401) return isAnonymous ? anonymousDenied : invalidToken;
  if (/rateLimitExceeded/i.test(reason)) return failed;
  if (status === 403) return reason === 'accountDisabled' ? disabled : denied;
  if (status === 400 && /requester pays/i.test(message)) return payerRequired;
  if (status === 404) return key === null ? missingBucket : missingObject;
  if (status === 412 || status === 416) return changed;
  if ([301, 302, 303, 307, 308].includes(status)) return redirected;
  // A status below 400 with an unparsable body: it was truncated.
  return status >= 500 || status === 429 || status === 408 || status < 400 ? failed : refused;
}

function nameOf({ key, bucket }: GcsRequest): string {
  return key === null ? `gs://${bucket}` : displayKey(key);
}
