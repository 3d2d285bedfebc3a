import { type AuthHeaders, SharedToken } from '../http/shared-token.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import type { GcsAccess, GcsCredential } from './gcs-access.ts';
import { noCredentials } from './gcs-failure.ts';

/** Who is asking. Tokens are renewed before they expire, and after the service has rejected one. */
export type TokenProvider = Pick<SharedToken, 'get' | 'use' | 'reject'>;

const READ = 'https://www.googleapis.com/auth/devstorage.read_only';

/** `scope`: the right that is asked for, to read unless told. */
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
      // The package keeps it until it expires.
      return { headers: Object.fromEntries(headers), expires: null };
    } catch (error) {
      // With credentials that worked before, it is the service that gives them out.
      throw mapNetworkError(error, "Google's token service")?.error ?? noCredentials(error, fetched);
    }
  });
}

function fixed(headers: AuthHeaders): TokenProvider {
  return { get: async () => headers, use: (request) => request(headers), reject: () => false };
}

/** The provider's package is loaded here, with the first request. Only its way to credentials is used. */
async function authenticator(credential: GcsCredential, scope: string) {
  const { Storage } = await import('@google-cloud/storage');
  // No request names this project, but without one the package looks for it, for seconds.
  const auth = new Storage({ projectId: 'seine', retryOptions: { autoRetry: false } }).authClient;
  // As an option the scope would be ignored (the package asks for every right), and the file's name would make it print a warning.
  const file = credential.kind === 'keyFile' ? { keyFilename: credential.path } : {};
  Object.assign(auth, { scopes: [scope], ...file });
  return auth;
}
