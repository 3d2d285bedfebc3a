import { messageOf, SeineError } from '../../base/errors.ts';
import { ArchivedObjectError } from '../archived.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { proxyLogin } from '../http/request.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import { parseRetryAfterMs } from '../store/retry-after.ts';
import type { StoreFailure } from '../store/store-client.ts';
import { errorTextFor, type S3Answer, type S3Request } from './s3-error-messages.ts';

export type S3Failure = StoreFailure;

/** What is known about the store so far. */
export interface S3State extends S3Request {
  /** A request has succeeded before. */
  readonly answered: boolean;
  /** Whether the request was sent to another region than this one, which the store names. */
  isOtherRegion(region: string): boolean;
  /** Whether the clock was corrected since the request was signed. */
  isClockCorrected(): boolean;
  /** Whether later requests will use other credentials than this one did. */
  areCredentialsRenewed(code: string): boolean;
}

const THROTTLING_CODES = new Set([
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequests',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'BandwidthLimitExceeded',
]);

/** Maps an error of the package, of the network or of the client to an error message. */
export function mapS3Error(error: unknown, state: S3State): S3Failure {
  const answer = answerIn(error);
  if (answer === null) return mapNetworkError(error, state.where) ?? { error: credentialError(error, state) };
  if (answer.status === 407) return { error: proxyLogin() };
  const { kind, message, hint, retry = false, everywhere, archived } = errorTextFor(answer, state);
  const Refusal = everywhere ? AuthenticationError : archived ? ArchivedObjectError : SeineError;
  const again = (better: boolean) =>
    new Refusal(kind, message, { ...(hint && { hint }), retry: better || retry, cause: error });
  if (THROTTLING_CODES.has(answer.code) || answer.status === 429 || answer.status === 503) {
    return { error: again(true), throttled: true, retryAfterMs: parseRetryAfterMs(answer.retryAfter) };
  }
  const { region } = answer;
  if (region !== undefined) return { error: again(state.isOtherRegion(region)) };
  if (answer.code === 'RequestTimeTooSkewed') return { error: again(state.isClockCorrected()) };
  return { error: again(everywhere === true && state.areCredentialsRenewed(answer.code)) };
}

/** Rejects anything else, because it would become part of a host name. */
const REGION = /^[a-z0-9-]{1,64}$/;

/** Null if there was no response. */
function answerIn(error: unknown): S3Answer | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const { name, message } = error;
  const sdkError = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number; headers?: Readonly<Record<string, string>> };
    Region?: string;
  };
  const status = sdkError.$metadata?.httpStatusCode ?? sdkError.$response?.statusCode;
  if (status === undefined) return null;
  const headers = sdkError.$response?.headers ?? {};
  const isElsewhere = status === 301 || status === 307 || status === 400;
  const named = isElsewhere ? (headers['x-amz-bucket-region'] ?? sdkError.Region) : undefined;
  const region = named !== undefined && REGION.test(named) ? named : undefined;
  return { code: name, status, message, region, retryAfter: headers['retry-after'] };
}

/** No request was sent, because there are no credentials or they could not be obtained. */
function credentialError(error: unknown, { answered }: S3State): SeineError {
  const name = error instanceof Error ? error.name : '';
  if (!/Credential|Token|Profile|SSO/i.test(`${name} ${messageOf(error)}`)) {
    return new SeineError('internal', `The request to S3 failed: ${messageOf(error)}.`, { cause: error });
  }
  return new AuthenticationError('permission', `No usable credentials for S3: ${messageOf(error)}.`, {
    hint:
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give credentials, a profile or ' +
      '"anonymous" in seine.yaml.',
    // Those of a role are fetched again from time to time.
    retry: answered,
    cause: error,
  });
}
