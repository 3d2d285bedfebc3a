import { createHmac } from 'node:crypto';
import type { AzureAccess } from './azure-access.ts';
import type { AzureCall } from './azure-http.ts';

/** The call with all that says who is asking. */
export type Sign = (call: AzureCall) => Promise<AzureCall>;

/** The first version that can start a listing anywhere. */
const VERSION = '2026-02-06';
const SCOPE = 'https://storage.azure.com/.default';
/** A token is renewed so long before it expires. */
const EARLY_MS = 300_000;

export function createSign(access: AzureAccess, clock: () => Date = () => new Date()): Sign {
  const { credential, account } = access;
  const token = credential.kind === 'chain' ? createTokens() : null;
  return async ({ path, parameters, headers }) => {
    const stamped = { ...headers, 'x-ms-version': VERSION, 'x-ms-date': clock().toUTCString() };
    const call = { path, parameters, headers: stamped };
    if (credential.kind === 'key') return withKey(call, account, credential.key);
    if (credential.kind === 'sas')
      return { ...call, parameters: { ...parameters, ...pairsIn(credential.token) } };
    if (token === null) return call;
    return { ...call, headers: { ...stamped, authorization: `Bearer ${await token()}` } };
  };
}

/** What the account's key is to sign, line by line; most headers are never sent. */
export function withKey(call: AzureCall, account: string, key: string): AzureCall {
  const { path, parameters, headers } = call;
  const unused = ['', '', '', '', '', '', ''];
  const lines = [
    'GET',
    ...unused,
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

/** The provider's package is loaded here, with the first request. Some of its ways start a program, so a token is kept. */
function createTokens(): () => Promise<string> {
  let kept: { token: string; expiresOnTimestamp: number } | null = null;
  let chain: Promise<{ getToken(scope: string): Promise<typeof kept> }> | undefined;
  return async () => {
    chain ??= import('@azure/identity').then(({ DefaultAzureCredential }) => new DefaultAzureCredential());
    if (kept === null || kept.expiresOnTimestamp - Date.now() < EARLY_MS)
      kept = await (await chain).getToken(SCOPE);
    return kept!.token;
  };
}
