import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIPv4 } from 'node:net';
import { getCACertificates } from 'node:tls';
import { messageOf, SeineError } from '../../base/errors.ts';

export type Provider = 's3' | 'azure' | 'gcs';

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** A certificate file that the provider's own tools trust, too. The certificates of NODE_EXTRA_CA_CERTS are trusted for every provider. */
const CA_BUNDLE: Partial<Record<Provider, string>> = { s3: 'AWS_CA_BUNDLE' };
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];
const NO_PROXY_VARIABLES = ['NO_PROXY', 'no_proxy'];

const agentsByProvider = new Map<Provider, Agents>();

/**
 * The HTTP agents of this thread for a provider. They use the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY specify. Created on the
 * first request, so that a wrong setting fails that request.
 */
export function agentsFor(provider: Provider): Agents {
  const agents = agentsByProvider.get(provider) ?? createAgents(provider, process.env);
  agentsByProvider.set(provider, agents);
  return agents;
}

type Environment = Readonly<Record<string, string | undefined>>;

function createAgents(provider: Provider, env: Environment): Agents {
  const sockets = { keepAlive: true, maxSockets: 64, proxyEnv: proxiesOf(env) };
  const variable = CA_BUNDLE[provider] ?? '';
  const bundle = env[variable];
  // In addition to the default ones, because a proxy may replace the certificates of some hosts only.
  const ca = bundle ? { ca: [...getCACertificates('default'), readBundle(variable, bundle)] } : {};
  return { http: new HttpAgent(sockets), https: new HttpsAgent({ ...sockets, ...ca }) };
}

/**
 * Converts the settings to the form that Node accepts. A proxy without a scheme is an HTTP proxy, as in other tools. Values that Node
 * cannot use are rejected, because Node would ignore them and connect directly, which may be forbidden.
 */
export function proxiesOf(env: Environment): Record<string, string | undefined> {
  const proxies = PROXIES.map((name) => [name, proxyOf(name, env[name]?.trim() ?? '')] as const);
  const exceptions = NO_PROXY_VARIABLES.map((name) => [name, parseNoProxy(env[name])] as const);
  return Object.fromEntries([...proxies, ...exceptions]);
}

/** Other tools also accept addresses in brackets and networks (`10.0.0.0/8`); Node accepts neither, but supports address ranges. */
function parseNoProxy(list: string | undefined): string | undefined {
  return list
    ?.split(/[\s,]+/)
    .map((entry) => rangeOf(entry) ?? entry.replace(/^\[(.*)\]$/, '$1'))
    .join(',');
}

function rangeOf(entry: string): string | null {
  const [, address = '', bits = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(entry) ?? [];
  if (!isIPv4(address) || Number(bits) > 32) return null;
  const size = 2 ** (32 - Number(bits));
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return `${dotted(first)}-${dotted(first + size - 1)}`;
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

function proxyOf(name: string, value: string): string | undefined {
  if (value === '') return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const { protocol = '' } = URL.parse(address) ?? {};
  if (/^https?:$/.test(protocol)) return address;
  // The value is not shown: it may contain a password.
  throw new SeineError('usage', `${name} is not the address of an HTTP proxy.`, {
    hint: `Set ${name} to http://HOST:PORT or https://HOST:PORT, or unset it. SOCKS proxies cannot be used.`,
  });
}

function readBundle(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SeineError('usage', `${variable} cannot be read: ${messageOf(error)}.`, {
      hint: `Set ${variable} to a file of PEM certificates, or unset it.`,
    });
  }
}
