import { createHash } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { checkedEndpoint } from '../http/endpoint.ts';
import type { SourceSettings } from '../settings.ts';

export type GcsCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'keyFile'; readonly path: string }
  | { readonly kind: 'anonymous' }
  /** The application default: a file that a variable names, `gcloud auth application-default login`, or the machine's own account. */
  | { readonly kind: 'default' };

export interface GcsAccess {
  readonly endpoint: string;
  readonly credential: GcsCredential;
  /** The project that pays for the requests; null: the bucket's own. */
  readonly payer: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const GOOGLE = 'https://storage.googleapis.com';

/** The settings come first, then the environment as the provider's own packages read it. */
export function accessOf(settings: SourceSettings, env: Environment = process.env): GcsAccess {
  const emulator = env.STORAGE_EMULATOR_HOST;
  return {
    endpoint: checked(settings.endpoint ?? emulator ?? GOOGLE),
    credential: credentialOf(settings, settings.endpoint === undefined && emulator !== undefined),
    payer: payerOf(settings),
  };
}

/**
 * The key file as a hash: a quota is written where a credential must not stand. Tokens differ from one worker to the next; what
 * they share is the bucket.
 */
export function quotaOf(bucket: string, { endpoint, credential }: GcsAccess): string {
  const { host } = new URL(endpoint);
  if (credential.kind === 'token') return `gcs:${host}/${bucket}:token`;
  if (credential.kind !== 'keyFile') return `gcs:${host}:${credential.kind}`;
  return `gcs:${host}:${createHash('sha256').update(credential.path).digest('hex').slice(0, 12)}`;
}

/** An emulator from the environment gets none unless the settings have one. */
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

/** An emulator is often written without a scheme, or with the path of the API. */
function checked(endpoint: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint) ? endpoint : `http://${endpoint}`;
  return checkedEndpoint(url, 'Write a URL, like http://127.0.0.1:4443.').replace(/\/storage\/v1$/, '');
}
