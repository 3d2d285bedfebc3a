import type { ErrorKind } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { AzureError } from './azure-http.ts';

/** The request that failed. */
export interface AzureRequest {
  /** Null for a listing. */
  readonly key: Key | null;
  readonly account: string;
  readonly container: string;
  readonly endpoint: string;
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
  /** The object must be restored before it can be read. */
  readonly archived?: boolean;
}

type ErrorTextBuilder = (request: AzureRequest, answer: AzureError) => ErrorText;

const missingContainer: ErrorTextBuilder = ({ container, account }) => ({
  kind: 'not-found',
  message: `No container ${container} in the storage account ${account}.`,
  hint: 'Check the names of the account and the container. Without credentials, a private container is reported as missing.',
});
const missingBlob: ErrorTextBuilder = (request) => ({
  kind: 'not-found',
  message: `${nameOf(request)} does not exist.`,
});
const changed: ErrorTextBuilder = (request) => ({
  kind: 'changed',
  message: `${nameOf(request)} is no longer what was listed.`,
});
const denied: ErrorTextBuilder = ({ key, container }) => ({
  kind: 'permission',
  message:
    key === null
      ? `No permission to list the container ${container}.`
      : `No permission to read ${displayKey(key)}.`,
  hint: 'The credential needs the role Storage Blob Data Reader, or a SAS token with the rights to read and list.',
});
const invalidCredential: ErrorTextBuilder = ({ account }) => ({
  kind: 'permission',
  message: `The storage account ${account} refuses the credential: the key or the token is wrong or has expired.`,
  hint: 'Check the key or the token, and the clock of this machine.',
  everywhere: true,
});
const authenticationFailed: ErrorTextBuilder = ({ account }) => ({
  kind: 'permission',
  message: `Authentication at the storage account ${account} failed: the key or token is wrong or has expired, or the account's firewall blocks this machine.`,
  hint: 'Check the key or the token, the clock of this machine, and the network rules of the account.',
  everywhere: true,
});
const credentialRequired: ErrorTextBuilder = ({ account, container }) => ({
  kind: 'permission',
  message: `The container ${container} of the storage account ${account} is not public, and no credential was sent.`,
  hint: 'Use a credential instead of "anonymous".',
});
const archived: ErrorTextBuilder = (request) => ({
  kind: 'unavailable',
  message: `${nameOf(request)} is archived.`,
  hint: 'Move it to another tier first, then scan again.',
  archived: true,
});
const failed: ErrorTextBuilder = ({ endpoint }, { code, status, message }) => ({
  kind: 'unavailable',
  message: `${endpoint} failed: ${reasonOf(code, message)} (${status}).`,
  retry: true,
});
const redirected: ErrorTextBuilder = ({ endpoint }, { status }) => ({
  kind: 'unavailable',
  message: `${endpoint} redirects to another address (${status}).`,
  hint: 'Set the endpoint to the address of the store itself: redirects are not followed, because credentials are sent.',
  retry: true,
});
const refused: ErrorTextBuilder = ({ endpoint }, { code, status, message }) => ({
  kind: 'usage',
  message: `${endpoint} refused the request: ${reasonOf(code, message)} (${status}).`,
});

const byCode: Readonly<Record<string, ErrorTextBuilder>> = {
  ContainerNotFound: missingContainer,
  ContainerBeingDeleted: missingContainer,
  ContainerDisabled: missingContainer,
  BlobNotFound: missingBlob,
  ConditionNotMet: changed,
  InvalidRange: changed,
  AuthenticationFailed: invalidCredential,
  InvalidAuthenticationInfo: invalidCredential,
  AuthorizationFailure: authenticationFailed,
  NoAuthenticationInformation: credentialRequired,
  PublicAccessNotPermitted: credentialRequired,
  BlobArchived: archived,
  BlobBeingRehydrated: archived,
  OperationTimedOut: failed,
  AccountIsDisabled: ({ account }) => ({
    kind: 'permission',
    message: `The storage account ${account} is disabled.`,
    everywhere: true,
  }),
  BlobUsesCustomerSpecifiedEncryption: (request) => ({
    kind: 'permission',
    message: `${nameOf(request)} is encrypted with a key of its owner, which Seine does not have.`,
  }),
  KeyBasedAuthenticationNotPermitted: ({ account }) => ({
    kind: 'permission',
    message: `The storage account ${account} takes no account keys.`,
    hint: 'Sign in (az login) and omit the key.',
    everywhere: true,
  }),
};

export function errorTextFor(answer: AzureError, request: AzureRequest): ErrorText {
  return (byCode[answer.code] ?? byStatus(answer, request))(request, answer);
}

/** For responses without a known error code, or without a body. */
function byStatus({ status }: AzureError, { key }: AzureRequest): ErrorTextBuilder {
  if (status === 401) return invalidCredential;
  if (status === 403) return denied;
  if (status === 404) return key === null ? missingContainer : missingBlob;
  if (status === 412 || status === 416) return changed;
  if ([301, 302, 303, 307, 308].includes(status)) return redirected;
  // A status below 400 with an unparsable body: it was truncated.
  return status >= 500 || status === 429 || status === 408 || status < 400 ? failed : refused;
}

function nameOf({ key, container }: AzureRequest): string {
  return key === null ? `The container ${container}` : displayKey(key);
}

function reasonOf(code: string, message: string): string {
  return [code, message].filter((part) => part !== '').join(', ') || 'no reason was given';
}
