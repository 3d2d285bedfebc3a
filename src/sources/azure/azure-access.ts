import { createHash } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { checkedEndpoint } from '../http/endpoint.ts';
import type { SourceSettings } from '../settings.ts';
import { type AzureTarget, defaultEndpoint } from './azure-target.ts';

export type AzureCredential =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'sas'; readonly token: string }
  | { readonly kind: 'anonymous' }
  /** The provider's default chain: environment variables, a workload or managed identity, the Azure CLI. */
  | { readonly kind: 'chain' };

export interface AzureAccess {
  readonly account: string;
  readonly endpoint: string;
  readonly credential: AzureCredential;
}

const ENDPOINT_HINT =
  'Write a URL: https://ACCOUNT.blob.core.windows.net, or http://127.0.0.1:10000/ACCOUNT for an emulator.';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings override the environment variables of the provider's own tools. */
export function accessOf(
  target: AzureTarget,
  settings: SourceSettings,
  env: Environment = process.env,
): AzureAccess {
  const { connectionString, accountKey, sasToken } = settings.credentials ?? {};
  const isSet = connectionString !== undefined || accountKey !== undefined || sasToken !== undefined;
  const configured = isSet
    ? { connection: connectionString, key: accountKey, sas: sasToken }
    : {
        connection: env.AZURE_STORAGE_CONNECTION_STRING,
        key: env.AZURE_STORAGE_KEY,
        sas: env.AZURE_STORAGE_SAS_TOKEN,
      };
  const connection = parseConnection(settings.anonymous ? '' : (configured.connection ?? ''));
  const account = target.account ?? settings.account ?? connection.account ?? env.AZURE_STORAGE_ACCOUNT;
  if (account === undefined) throw noAccount();
  const isOther = connection.account !== undefined && connection.account !== account;
  if (isOther && isSet) throw otherAccount(connection.account, account);
  // A connection string in the environment may belong to another account.
  const { key, sas, endpoint } = isOther ? parseConnection('') : connection;
  return {
    account,
    endpoint: checkedEndpoint(
      settings.endpoint ?? endpoint ?? target.endpoint ?? defaultEndpoint(account),
      ENDPOINT_HINT,
    ),
    credential: settings.anonymous
      ? { kind: 'anonymous' }
      : credentialOf(configured.key ?? key, configured.sas ?? sas),
  };
}

/**
 * Contains a hash of the key, because quota names are stored where secrets must not be. SAS tokens differ between workers, so these share
 * the quota of the account.
 */
export function quotaOf({ account, endpoint, credential }: AzureAccess): string {
  const host = URL.parse(endpoint)?.host ?? endpoint;
  const name =
    credential.kind === 'key'
      ? createHash('sha256').update(credential.key).digest('hex').slice(0, 12)
      : credential.kind;
  return `azure:${host}/${account}:${name}`;
}

function credentialOf(key: string | undefined, sas: string | undefined): AzureCredential {
  if (key) return { kind: 'key', key };
  return sas ? { kind: 'sas', token: sas.replace(/^\?/, '') } : { kind: 'chain' };
}

interface Connection {
  readonly account: string | undefined;
  readonly key: string | undefined;
  readonly sas: string | undefined;
  readonly endpoint: string | undefined;
}

/** Parses `AccountName=...;AccountKey=...;EndpointSuffix=...`, as shown in the portal. */
function parseConnection(text: string): Connection {
  const parts = new Map(
    text.split(';').flatMap((part) => {
      const [, name, value] = /^\s*(\w+)=(.*?)\s*$/s.exec(part) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), value!]];
    }),
  );
  const account = parts.get('accountname');
  const suffix = parts.get('endpointsuffix');
  const protocol = parts.get('defaultendpointsprotocol') ?? 'https';
  const usual = account && suffix ? `${protocol}://${account}.blob.${suffix}` : undefined;
  const endpoint = parts.get('blobendpoint') ?? usual;
  const key = parts.get('accountkey');
  return { account, key, sas: parts.get('sharedaccesssignature'), endpoint };
}

function noAccount(): SeineError {
  return new SeineError('usage', 'The target names no storage account.', {
    hint: 'Write az://ACCOUNT/CONTAINER, or set account in seine.yaml or AZURE_STORAGE_ACCOUNT.',
  });
}

function otherAccount(given: string | undefined, expected: string): SeineError {
  return new SeineError(
    'usage',
    `The connection string is of the account ${given}, the target of ${expected}.`,
    {
      hint: 'Give the connection string of the account that the target names.',
    },
  );
}
