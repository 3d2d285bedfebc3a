import type { GcsAccess } from '../gcs/gcs-access.ts';
import { createIdentify, type Identify } from '../gcs/gcs-headers.ts';

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

/** The headers of somebody who may write: a source asks for the right to read only. */
export function createWriterIdentify(access: GcsAccess): Identify {
  const { credential, endpoint } = access;
  if (credential.kind === 'anonymous' || credential.kind === 'token') return createIdentify(access);
  const file = credential.kind === 'keyFile' ? { keyFilename: credential.path } : {};
  let auth: Promise<{ getRequestHeaders(url: string): Promise<Iterable<[string, string]>> }> | undefined;
  const authenticate = async () => {
    const { Storage } = await import('@google-cloud/storage');
    return new Storage({ ...file, scopes: SCOPE, retryOptions: { autoRetry: false } }).authClient;
  };
  return async () => {
    auth ??= authenticate();
    return Object.fromEntries(await (await auth).getRequestHeaders(endpoint));
  };
}
