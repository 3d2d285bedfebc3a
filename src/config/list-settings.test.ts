import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { problemMessages } from './config.fixture.ts';
import { listSettings } from './list-settings.ts';
import { loadSettings } from './load.ts';
import { checkReferences } from './values/check-references.ts';
import { variableReference } from './values/interpolate.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-show-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = `
database: { url_env: PROD }
redis: { url: "redis://:${variableReference('RP')}@cache" }
sources:
  - url: s3://a
    rate: 30/m
    credentials: { access_key_id_env: ID, secret_access_key_file: key }
hooks:
  - webhook_env: HOOK
    on: [failed, cancelled]
`;
const ENV = {
  PROD: 'postgres://seine:hush@db/main',
  RP: 'hush',
  ID: 'hush',
  HOOK: 'https://example.org/hush',
};

function load(env: NodeJS.ProcessEnv) {
  writeFileSync(join(folder, 'seine.yaml'), FILE);
  return loadSettings({ config: join(folder, 'seine.yaml'), data: folder }, env);
}

function shown(env: NodeJS.ProcessEnv) {
  return Object.fromEntries(listSettings(load(env), env).map(({ setting, ...rest }) => [setting, rest]));
}

describe('what is shown of settings', () => {
  it('is their value as a file would have it', () => {
    const all = shown(ENV);
    expect(all['queue.claim_timeout']).toEqual({ value: '15s', origin: { kind: 'default' } });
    expect(all['sources[0].rate']!.value).toBe('0.5/s');
    expect(all['hooks[0].on']!.value).toEqual(['failed', 'cancelled']);
    expect(all['retention.finished_scans']!.value).toBe('never');
    expect(all.budget).toMatchObject({ value: null, unset: 'none' });
    expect(all.data).toEqual({ value: folder, origin: { kind: 'flag', name: '--data' } });
  });

  it('is never a secret, but where it is', () => {
    writeFileSync(join(folder, 'key'), 'hush\n');
    const all = shown(ENV);
    expect(JSON.stringify(all)).not.toContain('hush');
    expect(all['database.url']).toMatchObject({
      value: 'postgres://seine:•••@db/main',
      reference: { from: 'env', name: 'PROD', there: true },
    });
    expect(all['redis.url']!.value).toBe(`redis://:${variableReference('RP')}@cache`);
    expect(all['hooks[0].webhook']).toMatchObject({ value: '•••', reference: { name: 'HOOK', there: true } });
    expect(all['sources[0].credentials.secret_access_key']).toMatchObject({
      value: '•••',
      reference: { from: 'file', name: join(folder, 'key'), there: true },
    });
    rmSync(join(folder, 'key'));
  });

  it('reports which secrets are missing', () => {
    const all = shown({ PROD: ENV.PROD });
    expect(all['hooks[0].webhook']!.reference!.there).toBe(false);
    expect(all['sources[0].credentials.secret_access_key']!.reference!.there).toBe(false);
    expect(all['database.url']!.reference!.there).toBe(true);
  });
});

describe('what a configuration refers to', () => {
  const check = (env: NodeJS.ProcessEnv) => checkReferences(load(env).settings, env, 'warning');

  it('is reported with its line when it is missing', () => {
    expect(problemMessages({ problems: check({ PROD: ENV.PROD }) })).toEqual([
      '3:15 The environment variable RP is not set',
      '7:39 The environment variable ID is not set',
      `7:67 The secret file ${join(folder, 'key')} does not exist`,
      '9:18 The environment variable HOOK is not set',
    ]);
  });

  it('must be an address where one is wanted, and is not quoted when it is none', () => {
    const wrong = check({ ...ENV, PROD: 'mysql://hush', HOOK: 'hush' });
    expect(problemMessages({ problems: wrong })).toContain('2:22 database.url must start with postgres://');
    expect(problemMessages({ problems: wrong })).toContain('9:18 hooks[0].webhook must start with https://');
    expect(wrong.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(JSON.stringify(wrong)).not.toContain('hush');
  });
});
