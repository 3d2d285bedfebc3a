import { createHash } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { checkedEndpoint } from '../http/endpoint.ts';
import type { SourceSettings } from '../settings.ts';

export type GcsCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'keyFile'; readonly path: string }
  | { readonly kind: 'anonymous' }
  /**
   * Application Default Credentials: a file named by an environment variable, `gcloud auth application-default login`, or the machine's
   * service account.
   */
  | { readonly kind: 'default' };

export interface GcsAccess {
  readonly endpoint: string;
  readonly credential: GcsCredential;
  /** The project that is billed for the requests; null: that of the bucket. */
  readonly payer: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const GOOGLE = 'https://storage.googleapis.com';

/** Settings override the environment variables of the provider's own packages. */
export function accessOf(settings: SourceSettings, env: Environment = process.env): GcsAccess {
  const emulator = env.STORAGE_EMULATOR_HOST;
  return {
    endpoint: checked(settings.endpoint ?? emulator ?? GOOGLE),
    credential: credentialOf(settings, settings.endpoint === undefined && emulator !== undefined),
    payer: payerOf(settings),
  };
}

/**
 * Contains a hash of the key file, because quota names are stored where secrets must not be. Tokens differ between workers, so these
 * share the quota of the bucket.
 */
export function quotaOf(bucket: string, { endpoint, credential }: GcsAccess): string {
  const { host } = new URL(endpoint);
  if (credential.kind === 'token') return `gcs:${host}/${bucket}:token`;
  if (credential.kind !== 'keyFile') return `gcs:${host}:${credential.kind}`;
  return `gcs:${host}:${createHash('sha256').update(credential.path).digest('hex').slice(0, 12)}`;
}

/** An emulator from the environment gets no credential unless the settings have one. */
function credentialOf({ anonymous, credentials }: SourceSettings, isEmulator: boolean): GcsCredential {
  const { token, keyFile } = credentials ?? {};
  if (anonymous) return { kind: 'anonymous' };
  if (token !== undefined) return { kind: 'token', token };
  if (keyFile !== undefined) return { kind: 'keyFile', path: keyFile };
  return { kind: isEmulator ? 'anonymous' : 'default' };
}

function payerOf({ requesterPays, project }: SourceSettings): string | null {
  if (!requesterPays) return null;
  if (project !== undefined) return project;
  throw new SeineError('usage', 'The reader is to pay, but no project is named.', {
    hint: 'Set project in seine.yaml beside requester_pays.',
  });
}

/** Emulator addresses often lack a scheme, or contain the path of the API. */
function checked(endpoint: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint) ? endpoint : `http://${endpoint}`;
  return checkedEndpoint(url, 'Write a URL, like http://127.0.0.1:4443.').replace(/\/storage\/v1$/, '');
}
