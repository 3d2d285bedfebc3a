import { ensureComponent } from '../../base/components/install-component.ts';
import { type AuthHeaders, SharedToken } from '../http/shared-token.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import type { GcsAccess, GcsCredential } from './gcs-access.ts';
import { noCredentials } from './gcs-failure.ts';

/** Provides tokens. They are renewed before they expire, and after the service has rejected one. */
export type TokenProvider = Pick<SharedToken, 'get' | 'use' | 'reject'>;

const READ = 'https://www.googleapis.com/auth/devstorage.read_only';

/** `scope`: the OAuth scope to request; read-only by default. */
export function createTokenProvider({ credential, endpoint }: GcsAccess, scope = READ): TokenProvider {
  if (credential.kind === 'anonymous') return fixed({});
  if (credential.kind === 'token') return fixed({ authorization: `Bearer ${credential.token}` });
  let auth: ReturnType<typeof authenticator> | undefined;
  let fetched = false;
  return new SharedToken(async (isRejected) => {
    if (isRejected || auth === undefined) auth = authenticator(credential, scope);
    try {
      const headers: Iterable<[string, string]> = await (await auth).getRequestHeaders(endpoint);
      fetched = true;
      // The package caches it until it expires.
      return { headers: Object.fromEntries(headers), expires: null };
    } catch (error) {
      // If credentials worked before, the token service is at fault, so the error is transient.
      throw mapNetworkError(error, "Google's token service")?.error ?? noCredentials(error, fetched);
    }
  });
}

function fixed(headers: AuthHeaders): TokenProvider {
  return { get: async () => headers, use: (request) => request(headers), reject: () => false };
}

/** Loads the provider's package on the first request. Only its authentication is used. */
async function authenticator(credential: GcsCredential, scope: string) {
  await ensureComponent('gcs'); // openSource has done that already, writers have not
  const { Storage } = await import('../../../components/gcs/load.ts');
  // No request uses this project, but without one the package spends seconds searching for it.
  const auth = new Storage({ projectId: 'seine', retryOptions: { autoRetry: false } }).authClient;
  // A scope passed as option would be ignored (the package requests all scopes), and a key file's name would make it print a warning.
  const file = credential.kind === 'keyFile' ? { keyFilename: credential.path } : {};
  Object.assign(auth, { scopes: [scope], ...file });
  return auth;
}
