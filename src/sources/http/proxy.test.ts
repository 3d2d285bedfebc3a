/** All three stores through a proxy. Each case runs in its own process, because the environment is read at startup. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceSettings } from '../settings.ts';
import { proxiesOf } from './agents.ts';
import { createCertificate } from './certificate.fixture.ts';
import { type ProxyServer, startProxyServer } from './proxy-server.fixture.ts';
import { CONTENT, startThreeStores, type ThreeStores } from './three-stores.fixture.ts';
import { serviceAccountFile, startTokenServers, TOKEN_HOSTS } from './token-servers.fixture.ts';
import { storesAt } from './use-stores.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-proxy-'));
const bundle = join(folder, 'ca.pem');
const certificate = createCertificate(['*.store.test', 'localhost', ...TOKEN_HOSTS]);
const script = join(import.meta.dirname, 'use-stores.fixture.ts');
const names = ['s3.store.test', 'azure.store.test', 'gcs.store.test'];
const origins = (protocol: string) => storesAt(originsOf(protocol));
const READ = [CONTENT, CONTENT, CONTENT];

let plain: ThreeStores;
let secure: ThreeStores;
beforeAll(async () => {
  writeFileSync(bundle, certificate.cert);
  plain = await startThreeStores();
  secure = await startThreeStores({ certificate });
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function originsOf(protocol: string) {
  const [s3, azure, gcs] = names.map((name) => `${protocol}://${name}`);
  return { s3: s3!, azure: azure!, gcs: gcs! };
}

function startProxy(more: { login?: string } = {}, tokens = 0): Promise<ProxyServer> {
  const known = names.flatMap((name) => [
    [`${name}:80`, plain.port] as const,
    [`${name}:443`, secure.port] as const,
  ]);
  const issuers = TOKEN_HOSTS.map((name) => [`${name}:443`, tokens] as const);
  return startProxyServer({ ports: Object.fromEntries([...known, ...issuers]), ...more });
}

/** Without the proxy settings of this machine. */
async function use(
  targets: readonly [string, SourceSettings][],
  env: Record<string, string>,
): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['--no-warnings', script, JSON.stringify(targets)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH, HOME, AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null', ...env },
  });
  return JSON.parse(stdout) as string[];
}

/** The servers that were requested, in any order. */
const requestedHosts = ({ requests }: ProxyServer) =>
  names.filter((name) => requests.some((request) => request.includes(`${name}`)));

describe('NO_PROXY', () => {
  it.each([
    ['a.test,.b.test *.c.test', 'a.test,.b.test,*.c.test'],
    ['[::1],::2', '::1,::2'],
    ['10.1.2.3/8', '10.0.0.0-10.255.255.255'],
    ['192.168.1.128/25,1.2.3.4/32', '192.168.1.128-192.168.1.255,1.2.3.4-1.2.3.4'],
    ['0.0.0.0/0', '0.0.0.0-255.255.255.255'],
    ['1.2.3.4/33,1.2.3.400/8', '1.2.3.4/33,1.2.3.400/8'],
  ])('%s is understood', (NO_PROXY, expected) => {
    expect(proxiesOf({ NO_PROXY, no_proxy: NO_PROXY })).toMatchObject({
      NO_PROXY: expected,
      no_proxy: expected,
    });
  });
});

describe('S3, Azure and Google', () => {
  it.each([
    ['HTTP_PROXY', 'http'],
    ['http_proxy', 'http'],
    ['HTTPS_PROXY', 'https'],
    ['https_proxy', 'https'],
  ])('are read and written through %s', async (variable, protocol) => {
    await using proxy = await startProxy();
    const env = { [variable]: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: bundle };
    expect(await use(origins(protocol), env)).toEqual(READ);
    expect(requestedHosts(proxy)).toEqual(names);
    const way = protocol === 'http' ? /^(GET|PUT|POST) http:/ : /^CONNECT /;
    for (const request of proxy.requests) expect(request).toMatch(way);
    const server = protocol === 'http' ? plain : secure;
    for (const { headers } of server.requests) expect(headers['proxy-authorization']).toBeUndefined();
  });

  it.each(['http', 'https'])('authenticate at a proxy whose URL has a password (%s)', async (protocol) => {
    await using proxy = await startProxy({ login: 'me@here:p w' });
    const address = `http://me%40here:p%20w@127.0.0.1:${proxy.port}`;
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: bundle };
    expect(await use(origins(protocol), env)).toEqual(READ);
  });

  it.each(['http', 'https'])('report that the proxy requires a password (%s)', async (protocol) => {
    await using proxy = await startProxy({ login: 'me:secret' });
    const address = `http://me:wrong-password@127.0.0.1:${proxy.port}`;
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: bundle };
    for (const said of await use(origins(protocol), env)) {
      expect(said).toMatch(/proxy/i);
      expect(said).toMatch(/407/);
      expect(said).not.toContain('wrong-password');
    }
  });

  it('fetch their tokens through the proxy, too', async () => {
    await using tokens = await startTokenServers(certificate);
    await using proxy = await startProxy({}, tokens.port);
    const [token, account] = [join(folder, 'token'), join(folder, 'account.json')];
    writeFileSync(token, 'a web identity');
    writeFileSync(account, serviceAccountFile());
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = {
      ...{ HTTPS_PROXY: address, HTTP_PROXY: address, NODE_EXTRA_CA_CERTS: bundle },
      ...{ AWS_REGION: 'us-east-1', AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/reader' },
      ...{ AWS_WEB_IDENTITY_TOKEN_FILE: token, AZURE_TOKEN_CREDENTIALS: 'EnvironmentCredential' },
      ...{ AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'client', AZURE_CLIENT_SECRET: 'secret' },
      GOOGLE_APPLICATION_CREDENTIALS: account,
    };
    const targets = origins('https').map(([target, { endpoint }]): [string, SourceSettings] => [
      target,
      { endpoint: endpoint! },
    ]);
    expect(await use(targets, env)).toEqual(READ);
    for (const host of TOKEN_HOSTS) expect(proxy.requests).toContain(`CONNECT ${host}:443`);
  });

  it('bypass the proxy for the hosts of NO_PROXY', async () => {
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'other.test, 127.0.0.0/8' };
    const origin = `http://127.0.0.1:${plain.port}`;
    expect(await use(storesAt({ s3: origin, azure: origin, gcs: origin }), env)).toEqual(READ);
    expect(proxy.requests).toEqual([]);
    // The others still use it.
    expect(await use(origins('http'), env)).toEqual(READ);
    expect(requestedHosts(proxy)).toEqual(names);
  });

  it('accept a proxy without a scheme', async () => {
    await using proxy = await startProxy();
    expect(await use(origins('http'), { HTTP_PROXY: `127.0.0.1:${proxy.port}` })).toEqual(READ);
    expect(requestedHosts(proxy)).toEqual(names);
  });

  it('report an unsupported kind of proxy', async () => {
    for (const said of await use(origins('http'), { HTTP_PROXY: 'socks5://me:secret@127.0.0.1:9' })) {
      expect(said).toMatch(/HTTP_PROXY/);
      expect(said).not.toContain('secret');
    }
  });

  it('reject a self-signed certificate, with a hint', async () => {
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    for (const said of await use(origins('https'), env)) expect(said).toContain('NODE_EXTRA_CA_CERTS');
    expect(await use(origins('https').slice(0, 1), { ...env, AWS_CA_BUNDLE: bundle })).toEqual([CONTENT]);
    const missing = await use(origins('https').slice(0, 1), { ...env, AWS_CA_BUNDLE: join(folder, 'none') });
    expect(missing[0]).toContain('AWS_CA_BUNDLE cannot be read');
  });

  it('report that a proxy cannot be reached', async () => {
    for (const said of await use(origins('http'), { HTTP_PROXY: 'http://127.0.0.1:9' })) {
      expect(said).toContain('cannot be reached');
    }
  });
});
