/**
 * Shared Key and SAS authorization: "Authorize with Shared Key" (Azure Storage REST API).
 *
 * No library: the client of @azure/storage-blob retries and pages by itself, past the request gate. @azure/identity is used for
 * tokens, and loaded with the first request that needs one.
 */
import { createHmac } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { ensureComponent } from '../../base/components/install-component.ts';
import { SharedToken } from '../http/shared-token.ts';
import { mapNetworkError } from '../store/network-failure.ts';
import type { AzureAccess } from './azure-access.ts';
import { noCredentials } from './azure-failure.ts';
import type { AzureCall } from './azure-http.ts';

/** Authenticates and sends calls. */
export interface RequestSigner {
  send<T>(call: AzureCall, request: (signed: AzureCall) => Promise<T>): Promise<T>;
  /** Given the error of a request whose credential was rejected: whether the next request will use another one. */
  isRenewed(error: unknown): boolean;
}

/** The first version that supports starting a listing at any name. */
const VERSION = '2026-02-06';
const SCOPE = 'https://storage.azure.com/.default';

export function createRequestSigner(
  access: AzureAccess,
  clock: () => Date = () => new Date(),
): RequestSigner {
  const { credential, account } = access;
  const token = credential.kind === 'chain' ? createToken() : null;

  function sign(call: AzureCall): AzureCall {
    if (credential.kind === 'key') return withKey(call, account, credential.key);
    if (credential.kind !== 'sas') return call;
    return { ...call, parameters: { ...call.parameters, ...pairsIn(credential.token) } };
  }

  return {
    async send(call, request) {
      const headers = { ...call.headers, 'x-ms-version': VERSION, 'x-ms-date': clock().toUTCString() };
      if (token === null) return request(sign({ ...call, headers }));
      return token.use((more) => request({ ...call, headers: { ...headers, ...more } }));
    },
    isRenewed: (error) => token?.reject(error) ?? false,
  };
}

/** Shared Key authorization: builds the string to sign, line by line; most of the headers are never sent. */
export function withKey(call: AzureCall, account: string, key: string): AzureCall {
  const { method = 'GET', path, parameters, headers, body } = call;
  const length = body === undefined || body.length === 0 ? '' : String(body.length);
  const lines = [
    method,
    ...['', '', length, ''], // encoding, language, length, MD5
    headers['content-type'] ?? '',
    ...['', ''], // date, if-modified-since
    headers['if-match'] ?? '',
    ...['', ''],
    headers.range ?? '',
    ...sortedLines(Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'))),
    `/${account}${path}`,
    ...sortedLines(Object.entries(parameters)),
  ];
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(lines.join('\n'))
    .digest('base64');
  return { ...call, headers: { ...headers, authorization: `SharedKey ${account}:${signature}` } };
}

function sortedLines(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
}

function pairsIn(token: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(token));
}

/**
 * Loads the provider's package on the first request. The package caches tokens too, but would start a CLI process for each concurrent
 * request.
 */
function createToken(): SharedToken {
  let chain: Promise<TokenCredential> | undefined;
  let fetched = false;
  const create = async () => {
    await ensureComponent('azure'); // openSource has done that already, writers have not
    return new (await import('../../../components/azure/load.ts')).DefaultAzureCredential();
  };
  return new SharedToken(async (isRejected) => {
    if (isRejected || chain === undefined) chain = create();
    try {
      const { token, expiresOnTimestamp } = (await (await chain).getToken(SCOPE))!;
      fetched = true;
      return { headers: { authorization: `Bearer ${token}` }, expires: expiresOnTimestamp };
    } catch (error) {
      // If credentials worked before, the token service is at fault, so the error is transient.
      throw mapNetworkError(error, "Azure's token service")?.error ?? noCredentials(error, fetched);
    }
  });
}
