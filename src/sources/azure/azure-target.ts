import { SeineError } from '../../base/errors.ts';
import { redactName } from '../../base/redact.ts';

export interface AzureTarget {
  /** Null: the settings name it. */
  readonly account: string | null;
  readonly container: string;
  readonly prefix: string;
  /** Of a URL that is not at the usual host of the account. */
  readonly endpoint: string | null;
}

const DEFAULT_HOST = 'blob.core.windows.net';

/**
 * `az://ACCOUNT/CONTAINER/PREFIX`, where the prefix is taken as it stands, or `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`
 * with the escapes of a URL. Every name that begins with the prefix is meant; end it with a slash to mean a folder.
 */
export function parseAzureTarget(target: string): AzureTarget {
  const parsed = /^https?:/i.test(target) ? parseUrl(target) : parsePlain(target);
  if (!/^(\$root|\$web|\$logs|[a-z0-9](-?[a-z0-9]){2,62})$/.test(parsed.container)) {
    const { container } = parsed;
    throw invalidTarget(
      container === ''
        ? `${target} names no container.`
        : `"${redactName(container)}" cannot be the name of a container.`,
    );
  }
  if (!parsed.prefix.isWellFormed()) throw invalidTarget(`The prefix of ${target} is not valid text.`);
  return parsed;
}

/** Names the source wherever it is opened: the same for both ways to write a target. */
export function azureId({ endpoint, container, prefix }: AzureTarget, account: string): string {
  const path = prefix === '' ? container : `${container}/${prefix}`;
  return endpoint === null
    ? `az://${account}/${path}`
    : `${endpoint}/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

export function defaultEndpoint(account: string): string {
  return `https://${account}.${DEFAULT_HOST}`;
}

/** The path of a blob, or of the container, below an endpoint that may have the account in its path. */
export function pathTo(endpoint: URL, container: string, name = ''): string {
  const account = endpoint.pathname.replace(/\/$/, '');
  const blob = name === '' ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`;
  return `${account}/${container}${blob}`;
}

function parsePlain(target: string): AzureTarget {
  const [, account = '', container = '', prefix = ''] =
    /^az:\/\/([^/]*)\/?([^/]*)\/?(.*)$/is.exec(target) ?? [];
  if (account !== '' && !/^[a-z0-9-]{3,63}$/.test(account)) {
    throw invalidTarget(`"${redactName(account)}" cannot be the name of a storage account.`);
  }
  return { account: account === '' ? null : account, container, prefix, endpoint: null };
}

function parseUrl(target: string): AzureTarget {
  const url = URL.parse(target);
  const [, account, host] = /^([a-z0-9-]+)\.((?:z\d+\.)?blob\..+)$/.exec(url?.hostname ?? '') ?? [];
  if (url === null || account === undefined)
    throw invalidTarget(`${withoutQuery(target)} is no URL of a container in Azure.`);
  if (url.search !== '') {
    throw new SeineError('usage', 'The target has a SAS token in it, and targets are kept and shown.', {
      hint: `Give ${withoutQuery(target)} as the target, and the token as AZURE_STORAGE_SAS_TOKEN or as sasToken in seine.yaml.`,
    });
  }
  const [, container = '', prefix = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decoded(url.pathname, target)) ?? [];
  return { account, container, prefix, endpoint: host === DEFAULT_HOST ? null : url.origin };
}

function decoded(path: string, target: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidTarget(`${target} has a % that escapes nothing.`);
  }
}

function withoutQuery(target: string): string {
  return target.replace(/\?.*/s, '');
}

function invalidTarget(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'Write az://ACCOUNT/CONTAINER, or az://ACCOUNT/CONTAINER/PREFIX for the names that begin with PREFIX.',
  });
}
