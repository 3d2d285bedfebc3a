import { describe, expect, it } from 'vitest';
import { ENDS } from './hook.ts';
import { hooksFromConfig, hooksFromFlags } from './hooks-from-flags.ts';

const here = { env: {}, place: 'machine-1' };

describe('the hooks of the command line', () => {
  it('are none without flags', () => expect(hooksFromFlags({}, here)).toEqual([]));

  it('notify a receiver of every end, unsigned when there is no secret', () => {
    expect(hooksFromFlags({ webhook: ['https://hooks.example.com/seine'] }, here)).toEqual([
      {
        kind: 'webhook',
        name: 'webhook hooks.example.com',
        url: { from: 'text', text: 'https://hooks.example.com/seine' },
        secret: null,
        on: ENDS,
        allowPrivate: false,
      },
    ]);
  });

  it('name the variable that holds the secret, and never hold it', () => {
    const env = { SEINE_WEBHOOK_SECRET: 'hush', SEINE_WEBHOOK_ALLOW_PRIVATE: 'true' };
    const hooks = hooksFromFlags({ webhook: ['https://hooks.example.com/'] }, { ...here, env });
    expect(hooks).toMatchObject([
      { secret: { from: 'env', name: 'SEINE_WEBHOOK_SECRET' }, allowPrivate: true },
    ]);
    expect(JSON.stringify(hooks)).not.toContain('hush');
  });

  it('leave an address with a variable in it for later', () => {
    const text = '$' + '{TICKETS_URL}';
    expect(hooksFromFlags({ webhook: [text] }, here)).toMatchObject([
      { name: 'webhook', url: { from: 'text', text } },
    ]);
  });

  it.each(['hooks.example.com', 'ftp://example.com/', 'https://user:pass@example.com/', 'https://', ''])(
    'refuse the address %j without repeating it',
    (url) => {
      const wrong = () => hooksFromFlags({ webhook: [url] }, here);
      expect(wrong).toThrow(expect.objectContaining({ kind: 'usage' }));
      expect(wrong).not.toThrow(/pass@/);
    },
  );

  it('write to a folder of this machine, or to a bucket from anywhere', () => {
    const targets = ['out', 'fs:/srv/out:jsonl', 's3://bucket/prefix:jsonl.gz', 's3://bucket'];
    expect(hooksFromFlags({ export: targets }, here)).toMatchObject([
      { target: `${process.cwd()}/out`, format: 'parquet', place: 'machine-1', on: ENDS },
      { target: '/srv/out', format: 'jsonl', place: 'machine-1' },
      { target: 's3://bucket/prefix', format: 'jsonl.gz', place: null },
      { target: 's3://bucket', format: 'parquet', place: null },
    ]);
  });

  it.each([
    ['out/:jsonl', `${process.cwd()}/out`, 'jsonl'],
    ['/srv/out/:parquet', '/srv/out', 'parquet'],
    ['s3://bucket/:jsonl.gz', 's3://bucket/', 'jsonl.gz'],
    ['s3://bucket:jsonl', 's3://bucket', 'jsonl'],
    ['out:JSONL', `${process.cwd()}/out`, 'jsonl'],
    ['fs:out', `${process.cwd()}/out`, 'parquet'],
    ['fs:out/:jsonl', `${process.cwd()}/out`, 'jsonl'],
  ])('read %j as a target and its format', (text, target, format) => {
    expect(hooksFromFlags({ export: [text] }, here)).toMatchObject([{ target, format }]);
  });

  it.each([
    'out:csv',
    'out/:csv',
    'out:jsonl2',
    ':jsonl',
    's3://bucket/p:parket',
    'ftp://host/p',
    's3://',
    '',
  ])('refuse the target %j', (target) => {
    expect(() => hooksFromFlags({ export: [target] }, here)).toThrow(
      expect.objectContaining({ kind: 'usage' }),
    );
  });

  it('take a colon in a folder for what it is, before a slash', () => {
    expect(hooksFromFlags({ export: ['/srv/a:b/'] }, here)).toMatchObject([{ target: '/srv/a:b' }]);
  });
});

describe('the hooks of a configuration', () => {
  it('refuse a format behind the target, which would become part of a name', () => {
    const entry = { kind: 'export', name: 'e', format: 'parquet', on: ENDS } as const;
    for (const target of ['out/:jsonl', 's3://bucket/p:parquet'])
      expect(() => hooksFromConfig([{ ...entry, target }], 'here')).toThrow(
        expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('format: ') }),
      );
  });

  it('allow no private addresses by default, and have a host affinity unless the folder is shared', () => {
    const on = ['completed'] as const;
    const url = { from: 'env', name: 'TICKETS' } as const;
    const folder = { kind: 'export', target: '/srv/out', format: 'jsonl', on } as const;
    expect(
      hooksFromConfig(
        [
          { kind: 'webhook', name: 'tickets', url, secret: null, on },
          { ...folder, name: 'lake' },
          { ...folder, name: 'share', shared: true },
        ],
        'machine-1',
      ),
    ).toEqual([
      { kind: 'webhook', name: 'tickets', url, secret: null, on, allowPrivate: false },
      { ...folder, name: 'lake', place: 'machine-1' },
      { ...folder, name: 'share', place: null },
    ]);
  });
});
