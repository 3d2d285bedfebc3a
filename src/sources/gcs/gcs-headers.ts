import { networkFailure } from '../store/network-failure.ts';
import type { GcsAccess, GcsCredential } from './gcs-access.ts';
import { noCredentials } from './gcs-failure.ts';

/** The headers that say who is asking. They are fresh each time: tokens are renewed before they expire. */
export type Identify = () => Promise<Record<string, string>>;

const READ = 'https://www.googleapis.com/auth/devstorage.read_only';

/** `scope`: the right that is asked for, to read unless told. */
export function createIdentify({ credential, endpoint }: GcsAccess, scope = READ): Identify {
  let auth: ReturnType<typeof authenticator> | undefined;
  return async () => {
    if (credential.kind === 'anonymous') return {};
    if (credential.kind === 'token') return { authorization: `Bearer ${credential.token}` };
    auth ??= authenticator(credential, scope);
    try {
      const headers: Iterable<[string, string]> = await (await auth).getRequestHeaders(endpoint);
      return Object.fromEntries(headers);
    } catch (error) {
      throw networkFailure(error, "Google's token service")?.error ?? noCredentials(error);
    }
  };
}

/** The provider's package is loaded here, with the first request. Only its way to credentials is used. */
async function authenticator(credential: GcsCredential, scopes: string) {
  const { Storage } = await import('@google-cloud/storage');
  const auth = new Storage({ scopes, retryOptions: { autoRetry: false } }).authClient;
  // Given as an option, the file's name would make the package print a warning.
  return credential.kind === 'keyFile' ? Object.assign(auth, { keyFilename: credential.path }) : auth;
}
