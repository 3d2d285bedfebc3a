import { describe, expect, it } from 'vitest';
import { keyOf } from '../base/key.ts';
import { AuthenticationError } from './authentication-error.ts';
import { mapAzureError } from './azure/azure-failure.ts';
import { AzureError } from './azure/azure-http.ts';
import { mapGcsError, noCredentials } from './gcs/gcs-failure.ts';
import { GcsError } from './gcs/gcs-http.ts';
import { mapS3Error } from './s3/s3-failure.ts';

const key = keyOf('a');

function s3(code: string, status: number) {
  const error = Object.assign(new Error('It is so.'), { name: code, $metadata: { httpStatusCode: status } });
  const none = () => false;
  const known = { answered: true, isOtherRegion: none, isClockCorrected: none, areCredentialsRenewed: none };
  return mapS3Error(error, { key, bucket: 'box', where: 'Amazon S3', ...known }).error;
}

function azure(code: string, status: number) {
  const request = { key, account: 'acct', container: 'box', endpoint: 'https://acct' };
  return mapAzureError(new AzureError(status, code, 'It is so.'), request).error;
}

function gcs(status: number, reason = '', isAnonymous = false) {
  const request = { key, bucket: 'box', where: 'google', isAnonymous };
  return mapGcsError(new GcsError(status, reason, 'It is so.', undefined), request).error;
}

describe('a denied read', () => {
  it.each([
    ['s3: an expired token', s3('ExpiredToken', 400)],
    ['s3: a token that is not valid', s3('InvalidToken', 400)],
    ['s3: a key that was withdrawn', s3('InvalidAccessKeyId', 403)],
    ['s3: an account that is suspended', s3('UserSuspended', 403)],
    ['s3: a rejection without a reason', s3('UnknownError', 401)],
    ['s3: a secret that was replaced', s3('SignatureDoesNotMatch', 403)],
    ['s3: a clock that differs', s3('RequestTimeTooSkewed', 403)],
    ['azure: a signature that has expired', azure('AuthenticationFailed', 403)],
    ['azure: a token that has expired', azure('InvalidAuthenticationInfo', 401)],
    ['azure: a firewall', azure('AuthorizationFailure', 403)],
    ['azure: a disabled account', azure('AccountIsDisabled', 403)],
    ['azure: no keys any more', azure('KeyBasedAuthenticationNotPermitted', 403)],
    ['azure: a rejection without a reason', azure('', 401)],
    ['gcs: a token that has expired', gcs(401, 'authError')],
    ['gcs: a rejection without a reason', gcs(401)],
    ['gcs: a disabled account', gcs(403, 'accountDisabled')],
    ['gcs: a token that cannot be fetched', noCredentials(new Error('no metadata'))],
  ])('is about the credential: %s', (_what, error) => {
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ kind: 'permission' });
  });

  it.each([
    ['s3', s3('AccessDenied', 403)],
    ['s3, without a body', s3('UnknownError', 403)],
    ['azure', azure('AuthorizationPermissionMismatch', 403)],
    ['azure, a blob with a key of its owner', azure('BlobUsesCustomerSpecifiedEncryption', 409)],
    ['gcs', gcs(403, 'forbidden')],
    ['gcs, an object that is not public', gcs(401, 'required', true)],
  ])('is about the object: %s', (_what, error) => {
    expect(error).not.toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ kind: 'permission' });
  });
});
