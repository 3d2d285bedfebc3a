import { SeineError } from '../../base/errors.ts';
import { redactName } from '../../base/redact.ts';

export interface AzureTarget {
  /** Null if the account comes from the settings. */
  readonly account: string | null;
  readonly container: string;
  readonly prefix: string;
  /** Set for a URL whose host is not the account's default. */
  readonly endpoint: string | null;
}

const DEFAULT_HOST = 'blob.core.windows.net';

/**
 * Parses `az://ACCOUNT/CONTAINER/PREFIX`, with the prefix taken literally, or `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`
 * with URL escapes. Includes every name that begins with the prefix; a trailing slash restricts it to a folder.
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

/** The source id: the same on every machine and for both notations of a target. */
export function azureId({ endpoint, container, prefix }: AzureTarget, account: string): string {
  const path = prefix === '' ? container : `${container}/${prefix}`;
  return endpoint === null
    ? `az://${account}/${path}`
    : `${endpoint}/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

export function defaultEndpoint(account: string): string {
  return `https://${account}.${DEFAULT_HOST}`;
}

/** The path of a blob, or of the container, relative to an endpoint that may contain the account in its path. */
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
    hint: 'Write az://ACCOUNT/CONTAINER, or az://ACCOUNT/CONTAINER/PREFIX for names that start with PREFIX.',
  });
}
