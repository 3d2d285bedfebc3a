import { describe, expect, expectTypeOf, it } from 'vitest';
import { ENDS as HOOK_ENDS, EXPORT_FORMATS as HOOK_FORMATS } from '../scans/hooks/hook.ts';
import type { HookEntry } from '../scans/hooks/hooks-from-flags.ts';
import { parseSettings } from './config.fixture.ts';
import { ENDS, EXPORT_FORMATS, type HookConfig, hookConfigs } from './hook-config.ts';

const hooks = hookConfigs(
  parseSettings(`
hooks:
  - webhook: https://example.org/seine
    secret_file: /run/secrets/hook
    on: [completed, failed]
  - export: s3://results/
  - webhook_env: CHAT
    name: chat
    allow_private: true
  - export: /srv/results
    format: jsonl
    shared: true
`).values.hooks,
);

describe('the hooks of a configuration', () => {
  it('say where secrets are', () => {
    expect(hooks[0]).toEqual({
      kind: 'webhook',
      name: 'webhook 1',
      url: { from: 'text', text: 'https://example.org/seine' },
      secret: { from: 'file', path: '/run/secrets/hook' },
      allowPrivate: false,
      on: ['completed', 'failed'],
    });
  });

  it('run after every end, and write Parquetby default', () => {
    expect(hooks[1]).toEqual({
      kind: 'export',
      name: 'export 1',
      target: 's3://results/',
      format: 'parquet',
      shared: false,
      on: ENDS,
    });
    expect(hooks[3]).toMatchObject({ name: 'export 2', format: 'jsonl', shared: true });
  });

  it('have the names they are given', () => {
    expect(hooks[2]).toMatchObject({
      name: 'chat',
      url: { from: 'env', name: 'CHAT' },
      secret: null,
      allowPrivate: true,
    });
  });

  it('are what scans take', () => {
    expect([ENDS, EXPORT_FORMATS]).toEqual([HOOK_ENDS, HOOK_FORMATS]);
    expectTypeOf<HookConfig>().toExtend<HookEntry>();
  });
});
