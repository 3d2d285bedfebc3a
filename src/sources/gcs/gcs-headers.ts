import type { GcsAccess, GcsCredential } from './gcs-access.ts';

/** The headers that say who is asking. They are fresh each time: tokens are renewed before they expire. */
export type Identify = () => Promise<Record<string, string>>;

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';

export function createIdentify({ credential, endpoint }: GcsAccess): Identify {
  let auth: ReturnType<typeof authenticator> | undefined;
  return async () => {
    if (credential.kind === 'anonymous') return {};
    if (credential.kind === 'token') return { authorization: `Bearer ${credential.token}` };
    auth ??= authenticator(credential);
    const headers: Iterable<[string, string]> = await (await auth).getRequestHeaders(endpoint);
    return Object.fromEntries(headers);
  };
}

/** The provider's package is loaded here, with the first request. Only its way to credentials is used. */
async function authenticator(credential: GcsCredential) {
  const { Storage } = await import('@google-cloud/storage');
  const auth = new Storage({ scopes: SCOPE, retryOptions: { autoRetry: false } }).authClient;
  // Given as an option, the file's name would make the package print a warning.
  return credential.kind === 'keyFile' ? Object.assign(auth, { keyFilename: credential.path }) : auth;
}
