import type { ErrorKind } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';

/** The request that failed. */
export interface S3Request {
  /** Null for a listing. */
  readonly key: Key | null;
  readonly bucket: string;
  /** The server, for messages. */
  readonly where: string;
}

/** An error response of a store. */
export interface S3Answer {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** The region of the bucket. */
  readonly region: string | undefined;
  readonly retryAfter: string | undefined;
}

interface ErrorText {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly retry?: boolean;
  /** The error concerns the credential, not the requested resource. */
  readonly everywhere?: boolean;
  /** The object must be restored before it can be read. */
  readonly archived?: boolean;
}

type ErrorTextBuilder = (request: S3Request, answer: S3Answer) => ErrorText;

const RENEW = 'Sign in again (for example: aws sso login), or set fresh credentials.';

const missingBucket: ErrorTextBuilder = ({ bucket, where }) => ({
  kind: 'not-found',
  message: `No bucket ${bucket} at ${where}.`,
  hint: 'Check the name of the bucket, the endpoint and the region.',
});
const missingKey: ErrorTextBuilder = (request) => ({
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
        message: `No permission to list the bucket ${bucket}.`,
        hint: 'The credentials need s3:ListBucket on the bucket, and s3:GetObject on its objects.',
      }
    : {
        kind: 'permission',
        message: `No permission to read ${displayKey(key)}.`,
        hint: 'The credentials need s3:GetObject on it and, if it is encrypted with KMS, kms:Decrypt.',
      };
const expired: ErrorTextBuilder = ({ where }) => ({
  kind: 'permission',
  message: `${where} refuses the session token: it has expired or is not valid.`,
  hint: RENEW,
  everywhere: true,
});
const unknownKey: ErrorTextBuilder = ({ where }) => ({
  kind: 'permission',
  message: `${where} does not know the access key.`,
  hint: 'Check the access key, and that it belongs to this endpoint.',
  everywhere: true,
});
const suspended: ErrorTextBuilder = ({ where }, { code }) => ({
  kind: 'permission',
  message: `${where} refuses the account of the access key (${code}).`,
  hint: 'Use credentials of another account, or have the provider enable this one.',
  everywhere: true,
});
const otherRegion: ErrorTextBuilder = ({ bucket }, { region }) => ({
  kind: 'usage',
  message: `The bucket ${bucket} is in another region${region === undefined ? '' : `, ${region}`}.`,
  hint: `Set the region${region === undefined ? ' of the bucket' : ` to ${region}`} (AWS_REGION, or region in seine.yaml).`,
});
const failed: ErrorTextBuilder = ({ where }, { code, status, message }) => ({
  kind: 'unavailable',
  message: `${where} failed: ${message === code ? code : `${code}, ${message}`} (${status}).`,
  retry: true,
});
const unparsableAnswer: ErrorTextBuilder = ({ where }, { status }) => ({
  kind: 'unavailable',
  message: `The answer of ${where} (${status}) could not be understood.`,
  hint: 'Check that the endpoint is that of an S3 server.',
  retry: true,
});
const refused: ErrorTextBuilder = ({ where }, { code, status, message }) => ({
  kind: 'usage',
  message: `${where} refused the request: ${code}, ${message} (${status}).`,
});

const byCode: Readonly<Record<string, ErrorTextBuilder>> = {
  NoSuchBucket: missingBucket,
  NoSuchKey: missingKey,
  PreconditionFailed: changed,
  InvalidRange: changed,
  AccessDenied: denied,
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  InvalidToken: expired,
  TokenRefreshRequired: expired,
  PermanentRedirect: otherRegion,
  TemporaryRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
  IllegalLocationConstraintException: otherRegion,
  RequestTimeout: failed,
  InternalError: failed,
  InvalidObjectState: (request) => ({
    kind: 'unavailable',
    message: `${nameOf(request)} is archived.`,
    hint: 'Restore it first, then scan again.',
    archived: true,
  }),
  InvalidAccessKeyId: unknownKey,
  InvalidClientTokenId: unknownKey,
  AccountProblem: suspended,
  NotSignedUp: suspended,
  UserSuspended: suspended,
  SignatureDoesNotMatch: ({ where }) => ({
    kind: 'permission',
    message: `${where} refuses the signature: the secret access key is wrong.`,
    hint: 'Check the secret access key, and whether it was replaced meanwhile.',
    everywhere: true,
  }),
  RequestTimeTooSkewed: ({ where }) => ({
    kind: 'permission',
    message: `The clock of this machine differs too much from that of ${where}.`,
    hint: 'Set the clock, or use a time service.',
    everywhere: true,
  }),
};

export function errorTextFor(answer: S3Answer, request: S3Request): ErrorText {
  return (byCode[answer.code] ?? byStatus(answer, request))(request, answer);
}

/** For responses without a known error code, or without a body. */
function byStatus({ status }: S3Answer, { key }: S3Request): ErrorTextBuilder {
  if (status === 401) return unknownKey;
  if (status === 403) return denied;
  if (status === 404) return key === null ? missingBucket : missingKey;
  if (status === 412 || status === 416) return changed;
  if (status === 301 || status === 307) return otherRegion;
  // A successful response that the package could not parse, for instance because it was truncated.
  if (status < 400) return unparsableAnswer;
  return status >= 500 || status === 429 || status === 408 ? failed : refused;
}

function nameOf({ key, bucket }: S3Request): string {
  return key === null ? `s3://${bucket}` : displayKey(key);
}
