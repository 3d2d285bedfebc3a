/** Credentials that must be fetched: by concurrent requests, after they expired, and when they are revoked during a scan. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuthenticationError } from '../authentication-error.ts';
import { createAzureSource } from '../azure/azure-source.ts';
import { createGcsSource } from '../gcs/gcs-source.ts';
import { type HttpServer, startHttpServer } from '../http-server.fixture.ts';
import { createS3Source } from '../s3/s3-source.ts';
import type { Source } from '../source.ts';
import { bytesOf, keysOf, objectsOf } from '../source-test-helpers.ts';
import { answer } from './three-stores.fixture.ts';

const MANY = 30;
const DAY_MS = 86_400_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-credentials-'));
  vi.spyOn(Math, 'random').mockReturnValue(0); // no pauses between attempts
  for (const name of Object.keys(process.env))
    if (/^(AWS|AZURE|GOOGLE|GCLOUD|CLOUDSDK)_/.test(name)) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A credential issuer that a test can control. */
interface Issuer extends AsyncDisposable {
  /** The number of credentials issued. */
  issued(): number;
  /** The announced lifetime of the next ones. */
  lifetimeMs: number;
  /** Whether a request of the store carries the credential that was issued last. */
  isLast(request: IncomingMessage): boolean;
}

/** A script in place of `az`: one process per token. */
async function azureCli(): Promise<Issuer> {
  const log = join(folder, 'log');
  const script = join(folder, 'az');
  writeFileSync(log, '');
  const write = (ms: number) => {
    const seconds = Math.floor((Date.now() + ms) / 1000);
    const json = `{"accessToken":"token$n","expires_on":${seconds},"tokenType":"Bearer"}`;
    writeFileSync(
      script,
      `#!/bin/sh\necho x >>'${log}'\nn=$(($(wc -l <'${log}')))\nsleep 0.3\ncat <<END\n${json}\nEND\n`,
    );
    chmodSync(script, 0o755);
  };
  write(DAY_MS);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'AzureCliCredential');
  const issued = () => readFileSync(log, 'utf8').split('\n').length - 1;
  return {
    issued,
    set lifetimeMs(ms: number) {
      write(ms);
    },
    isLast: ({ headers }) => headers.authorization === `Bearer token${issued()}`,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The metadata server of a Google Cloud machine. */
async function googleMetadata(): Promise<Issuer> {
  let count = 0;
  let lifetime = DAY_MS;
  const readOnly = encodeURIComponent('https://www.googleapis.com/auth/devstorage.read_only');
  const server = await startHttpServer((request, response) => {
    response.setHeader('metadata-flavor', 'Google');
    if (!request.url?.includes('/token')) return void response.end('x');
    if (!request.url.endsWith(`?scopes=${readOnly}`)) return void response.writeHead(403).end();
    const token = { access_token: `token${++count}`, expires_in: lifetime / 1000, token_type: 'Bearer' };
    response.setHeader('content-type', 'application/json');
    setTimeout(() => response.end(JSON.stringify(token)), 300);
  });
  vi.stubEnv('GCE_METADATA_HOST', new URL(server.endpoint).host);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  vi.stubEnv('CLOUDSDK_CONFIG', folder);
  return {
    issued: () => count,
    set lifetimeMs(ms: number) {
      lifetime = ms;
    },
    isLast: ({ headers }) => headers.authorization === `Bearer token${count}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The `credential_process` of a profile. */
async function awsProcess(): Promise<Issuer> {
  const log = join(folder, 'log');
  const script = join(folder, 'credentials.mjs');
  writeFileSync(log, '');
  const write = (ms: number) =>
    writeFileSync(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(log)}, 'x\\n');
const n = readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n').length - 1;
process.stdout.write(JSON.stringify({ Version: 1, AccessKeyId: 'ASIAKEY', SecretAccessKey: 's', SessionToken: 'token' + n,
  Expiration: new Date(${Date.now() + ms}).toISOString() }));`,
    );
  write(DAY_MS);
  const config = join(folder, 'config');
  writeFileSync(config, `[default]\ncredential_process = "${process.execPath}" "${script}"\n`);
  vi.stubEnv('AWS_CONFIG_FILE', config);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
  const issued = () => readFileSync(log, 'utf8').split('\n').length - 1;
  return {
    issued,
    set lifetimeMs(ms: number) {
      write(ms);
    },
    isLast: ({ headers }) => headers['x-amz-security-token'] === `token${issued()}`,
    [Symbol.asyncDispose]: async () => {},
  };
}

type Open = (server: HttpServer) => Source;
const openS3: Open = ({ endpoint }) =>
  createS3Source('s3://box', {}, { settings: { endpoint, region: 'eu-west-1' }, retryTimeoutMs: 20_000 });
const openAzure: Open = ({ endpoint }) =>
  createAzureSource(
    'az://acct/box',
    {},
    { settings: { endpoint: `${endpoint}/acct` }, retryTimeoutMs: 20_000 },
  );
const openGcs: Open = ({ endpoint }) =>
  createGcsSource('gs://box', {}, { settings: { endpoint }, retryTimeoutMs: 20_000 });

const refusal = (status: number, code: string) =>
  JSON.stringify({ error: { code: status, message: 'It is so.', errors: [{ reason: code }] } });
const stores: [string, () => Promise<Issuer>, Open, number, string][] = [
  ['S3 (credential_process)', awsProcess, openS3, 400, '<Error><Code>ExpiredToken</Code></Error>'],
  [
    'Azure (az)',
    azureCli,
    openAzure,
    401,
    '<Error><Code>InvalidAuthenticationInfo</Code><Message>No.</Message></Error>',
  ],
  ['Google (metadata server)', googleMetadata, openGcs, 401, refusal(401, 'authError')],
];

describe.each(stores)('credentials of %s', (_name, issue, open, status, body) => {
  /** A store that accepts only requests for which `isValid` returns true; counts rejected ones. */
  async function world(isValid: (request: IncomingMessage, issuer: Issuer) => boolean) {
    const issuer = await issue();
    let refused = 0;
    const server = await startHttpServer((request, response) => {
      if (isValid(request, issuer)) return answer(request, response);
      refused++;
      response.writeHead(status).end(body);
    });
    return {
      issuer,
      source: open(server),
      refused: () => refused,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await issuer[Symbol.asyncDispose]();
      },
    };
  }
  const many = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: MANY }, work));

  it('are fetched once for concurrent requests', async () => {
    await using w = await world((request, issuer) => issuer.isLast(request));
    await many(() => keysOf(w.source));
    await many(() => keysOf(w.source));
    expect(w.issuer.issued()).toBe(1);
    expect(w.refused()).toBe(0);
  });

  it('are fetched again before they expire, once for concurrent requests', async () => {
    let isRenewed = false;
    await using w = await world((request, issuer) => {
      isRenewed = issuer.issued() > 1 && issuer.isLast(request);
      return true;
    });
    w.issuer.lifetimeMs = 60_000;
    await keysOf(w.source);
    w.issuer.lifetimeMs = DAY_MS;
    const before = w.issuer.issued();
    // Not before half of their lifetime; only the clock of this process is changed.
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 50_000);
    await many(() => keysOf(w.source));
    // The AWS SDK renews in the background: requests use the old credentials until the new ones are available.
    await vi.waitFor(
      async () => {
        await keysOf(w.source);
        expect(isRenewed, 'a request carries the renewed credentials').toBe(true);
      },
      { timeout: 30_000 },
    );
    // The SDK may also have begun to renew them before the clock was changed.
    expect(w.issuer.issued()).toBeLessThanOrEqual(before + 2);
  });

  it('are fetched again when the store rejects them, and no request fails', async () => {
    let withdrawn = false;
    await using w = await world(
      (request, issuer) => !withdrawn || (issuer.issued() > 1 && issuer.isLast(request)),
    );
    const [object] = await objectsOf(w.source);
    withdrawn = true;
    await many(() => bytesOf(w.source, object!));
    expect(w.refused()).toBeGreaterThan(0);
    expect(w.issuer.issued()).toBe(2);
  });

  it('stop the scan if they are rejected permanently: no object is skipped', async () => {
    let withdrawn = false;
    await using w = await world(() => !withdrawn);
    const [object] = await objectsOf(w.source);
    withdrawn = true;
    const error = await bytesOf(w.source, object!).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ kind: 'permission', retry: false, hint: expect.any(String) });
    expect(w.issuer.issued()).toBe(2);
    expect(w.refused()).toBe(2);
  });
});
