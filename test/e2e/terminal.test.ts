/** What others choose (names, configuration, answers of servers) reaches the terminal as text, never as a command to it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, openSeine } from '../support/seine.ts';

const seine = openSeine();
const ESCAPES = '\x1b]0;owned\x07\x1b[2J\x1b[1A\x9b31m\x9d52;c;eA==\x9c\r\b\u202e';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const RAW = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
const names = join(seine.folder, 'names');
const S3CRET = 'wJalrXUtnFEMI/K7MDENG';

/** Answers everything with an error whose text is hostile: as an object store and as a receiver of webhooks. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const xml = `<Error><Code>AccessDenied</Code><Message>no ${ESCAPES}</Message></Error>`;
    response.writeHead(request.url === '/hook' ? 410 : 403, { 'content-type': 'application/xml' }).end(xml);
  });
});
let url: string;
beforeAll(async () => {
  mkdirSync(join(names, `dir${ESCAPES}`), { recursive: true });
  for (const name of [`file${ESCAPES}.txt`, `dir${ESCAPES}/in\nside.txt`])
    writeFileSync(join(names, name), 'ssn 219-18-4417\n');
  writeFileSync(join(names, `broken${ESCAPES}.zip`), Buffer.from('504b0304ffff', 'hex'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await seine.close();
});

function isHarmless({ stdout, stderr }: Ended): void {
  expect(stdout).not.toMatch(RAW);
  expect(stderr).not.toMatch(RAW);
}

describe('hostile names', () => {
  it('are shown escaped by every command', async () => {
    const env = { SEINE_WEBHOOK_ALLOW_PRIVATE: 'true' };
    const scan = await seine.run(['scan', names, '--webhook', `${url}/hook`], { env });
    expect(scan.stdout).toContain('\\x1b');
    isHarmless(scan);
    const found = await seine.run(['findings', '--json']);
    const { handle } = JSON.parse(found.stdout.split('\n')[0]!) as { handle: string };
    for (const words of [
      ['show'],
      ['findings'],
      ['coverage'],
      ['coverage', '--list'],
      ['scans'],
      ['shards'],
      ['explain', handle],
      ['hooks', 'list', '--all'],
      ['deadletter', 'list'],
      ['inspect', join(names, `file${ESCAPES}.txt`)],
      ['inspect', join(names, `missing${ESCAPES}`)],
      ['suppress', handle, '--reason', `because${ESCAPES}`],
      ['suppressions', 'list'],
      ['baseline', 'set', 'base'],
      ['baseline', 'list'],
      ['scan', `${names}/dir${ESCAPES}`],
      ['diff'],
    ])
      isHarmless(await seine.run(words, { env }));
  });
});

describe('hostile words, configurations and answers', () => {
  it('are shown escaped in messages', async () => {
    const config = join(seine.folder, `c${ESCAPES.replaceAll('\x9b', '')}.yaml`);
    writeFileSync(config, `tenant: "a\\e[2J\\u009b1A"\n"k\\e]0;x\\a": 1\nworker: { threads: "\\e[2J" }\n`);
    for (const words of [
      ['scan', `missing${ESCAPES}`],
      [`scan${ESCAPES}`],
      ['scans', `--option${ESCAPES}`],
      ['config', 'check', '--config', config],
      ['config', 'show', '--config', config],
      ['scan', names, '--config', config],
      ['scan', names, '--rules', `missing${ESCAPES}`],
      ['scan', names, '--output', `x${ESCAPES}`],
      ['findings', '--where', `has(${ESCAPES})`],
    ]) {
      const ended = await seine.run(words);
      expect(ended.code).not.toBe(0);
      isHarmless(ended);
    }
  });

  it('of an object store are shown escaped', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'us-east-1' };
    const ended = await seine.run(['scan', 's3://bucket/p'], { env: { ...env, AWS_ENDPOINT_URL: url } });
    expect(ended.code).toBe(1);
    isHarmless(ended);
  });
});

describe('credentials in an address', () => {
  it.each([
    ['scan', `s3://AKIAIOSFODNN7:${S3CRET}@bucket`],
    ['scan', `s3://AKIAIOSFODNN7:${S3CRET}@`],
    ['scan', `az://account/container?sig=${S3CRET}`],
    ['scan', `https://me:${S3CRET}@host/x`],
    ['scan', `gs://me:${S3CRET}@`],
    ['plan', `s3://AKIAIOSFODNN7:${S3CRET}@bucket`],
    ['scan', '.', '--webhook', `https://me:${S3CRET}@host/x`],
    ['scan', '.', '--export', `s3://AKIAIOSFODNN7:${S3CRET}@bucket`],
    ['scan', '.', '--export', `https://me:${S3CRET}@host/x`],
  ])('are not repeated: %s %s', async (...words) => {
    const ended = await seine.run(words, { env: { AWS_REGION: 'us-east-1' } });
    expect(ended.code).not.toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(S3CRET);
  });

  it('are not repeated when a server cannot be reached', async () => {
    const encoded = encodeURIComponent(S3CRET);
    const ended = await seine.run(['scans'], {
      env: { DATABASE_URL: `postgres://a:${encoded}@127.0.0.1:1/x` },
    });
    expect(ended.code).toBe(1);
    for (const form of [S3CRET, encoded]) expect(ended.stdout + ended.stderr).not.toContain(form);
  });
});
