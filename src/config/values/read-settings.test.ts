import { describe, expect, it } from 'vitest';
import { parseSettings, problemMessages } from '../config.fixture.ts';
import { variableReference } from './interpolate.ts';

describe('precedence', () => {
  const file = 'worker: { threads: 3 }\nqueue: { stall: 90s }\n';

  it('is flag, environment, file, default', () => {
    const env = { SEINE_THREADS: '5', SEINE_STALL_SECONDS: '7' };
    expect(parseSettings(file, env, { threads: '9' }).values.worker.threads).toBe(9);
    expect(parseSettings(file, env).values.worker.threads).toBe(5);
    expect(parseSettings(file).values.worker.threads).toBe(3);
    expect(parseSettings('').values.worker.concurrency).toBe(4);
    expect(parseSettings(file, env).values.queue.stall).toBe(7000);
    expect(parseSettings(file).values.queue.stall).toBe(90_000);
  });

  it('is recorded with each setting', () => {
    const { settings } = parseSettings(file, { SEINE_TENANT: 'acme' }, { threads: '9' });
    const origins = Object.fromEntries(settings.map(({ path, origin }) => [path, origin]));
    expect(origins['worker.threads']).toEqual({ kind: 'flag', name: '--threads' });
    expect(origins.tenant).toEqual({ kind: 'env', name: 'SEINE_TENANT' });
    expect(origins['queue.stall']).toEqual({ kind: 'file', at: { line: 2, column: 17 } });
    expect(origins.mode).toEqual({ kind: 'default' });
  });

  it('an empty variable counts as not set', () => {
    expect(parseSettings(file, { SEINE_THREADS: '' }).values.worker.threads).toBe(3);
  });

  it('what the file says is checked also where it does not count', () => {
    expect(problemMessages(parseSettings('worker: { threads: many }', { SEINE_THREADS: '5' }))).toEqual([
      '1:20 worker.threads must be a whole number from 1 to 256, not "many"',
    ]);
  });
});

describe('an unknown setting', () => {
  it.each([
    ['quue: {}', "1:1 there is no setting 'quue'", 'did you mean queue?'],
    ['queue:\n  claim_timout: 5s', "2:3 queue has no setting 'claim_timout'", 'did you mean claim_timeout?'],
    ['queue:\n  claimTimeout: 5s', "2:3 queue has no setting 'claimTimeout'", 'did you mean claim_timeout?'],
    ['claim_timeout: 5s', "1:1 there is no setting 'claim_timeout'", 'it belongs under queue'],
    ['worker: { tenant: a }', "1:11 worker has no setting 'tenant'", 'it belongs at the top, not indented'],
    ['data: /srv', "1:1 there is no setting 'data'", 'set it with --data or SEINE_DATA'],
    [
      'redis:\n  zzzzzz: 1',
      "2:3 redis has no setting 'zzzzzz'",
      'the settings here are url, url_env, url_file',
    ],
    ['5: a', "1:1 there is no setting '5'", 'the settings here are mode'],
    ['__proto__: a', "1:1 there is no setting '__proto__'", 'the settings here are'],
    ['constructor: a', "1:1 there is no setting 'constructor'", 'the settings here are'],
  ])('%j is an error with a hint', (text, message, hint) => {
    const settings = parseSettings(text);
    expect(problemMessages(settings)).toEqual([message]);
    expect(settings.problems[0]!.hint).toContain(hint);
  });
});

describe('a value of the wrong type', () => {
  it.each([
    ['queue: 5', '1:8 queue must be a mapping, not a number'],
    ['sources: { url: s3://a }', '1:10 sources must be a list, not a mapping'],
    ['sources: [s3://a]', '1:11 sources[0] must be a mapping, not a text'],
    ['- mode: single', '1:1 the file must be a mapping, not a list'],
    ['hello', '1:1 the file must be a mapping, not a text'],
    ['tenant: 5', '1:9 tenant must be a name, not the number 5'],
    ['tenant: [a]', '1:9 tenant must be a name, not a list'],
    ['tenant:', '1:8 tenant must be a name, not empty'],
    ['worker: { threads: "5" }', '1:20 worker.threads must be a whole number from 1 to 256, not "5"'],
    [
      'worker: { threads: 1.5 }',
      '1:20 worker.threads must be a whole number from 1 to 256, not the number 1.5',
    ],
    [
      'worker: { threads: .nan }',
      '1:20 worker.threads must be a whole number from 1 to 256, not the number NaN',
    ],
    ['sources:\n-\n- url: s3://a', '2:2 sources[0] is empty'],
    ['hooks: [{ export: /a, on: [~] }]', '1:28 hooks[0].on[0] is empty'],
    ['hooks: [{ export: /a, on: [] }]', '1:27 hooks[0].on is empty'],
    [
      'hooks: [{ export: /a, on: [done] }]',
      '1:28 hooks[0].on[0] must be completed, incomplete, failed or cancelled, not "done"',
    ],
  ])('%j is reported with its position', (text, message) => {
    expect(problemMessages(parseSettings(text))).toEqual([message]);
  });

  it('does not hide the other mistakes', () => {
    expect(
      problemMessages(parseSettings('mode: x\nworker: { threads: 0, zzz: 1 }\ntenant: 5\n')),
    ).toHaveLength(4);
  });
});

describe('a heading with nothing under it', () => {
  it('is as good as none', () => {
    expect(problemMessages(parseSettings('queue:\n  # stall: 5s\nsources:\nhooks:\n'))).toEqual([]);
  });
});

describe('variables', () => {
  const text = `worker:\n  threads: ${variableReference('N')}\ntenant: a-${variableReference('T:-b')}\n`;

  it('are filled in, also where a number is wanted', () => {
    const { values, settings } = parseSettings(text, { N: '6' });
    expect([values.worker.threads, values.tenant]).toEqual([6, 'a-b']);
    expect(settings.find(({ path }) => path === 'tenant')!.origin).toEqual({
      kind: 'file',
      at: { line: 3, column: 9 },
      via: `a-${variableReference('T:-b')}`,
    });
  });

  it('that are not set, or have the wrong type, are reported with their line', () => {
    expect(problemMessages(parseSettings(text))).toEqual(['2:12 The environment variable N is not set']);
    expect(problemMessages(parseSettings(text, { N: 'six' }))).toEqual([
      '2:12 worker.threads must be a whole number from 1 to 256, not "six"',
    ]);
    expect(problemMessages(parseSettings('tenant: "${a"'))).toEqual([
      '1:9 A variable has no name, or its } is missing',
    ]);
  });
});

describe('settings that belong together', () => {
  it.each([
    ['sources: [{ region: eu }]', '1:11 sources[0] has no url'],
    ['sources:\n- url: s3://a\n  burst: 5', '3:3 sources[0].burst needs rate'],
    ['hooks:\n- name: a', '2:3 hooks[0] has neither webhook nor export'],
    ['hooks:\n- export: /a\n  webhook_env: B', '3:3 hooks[0] can have webhook or export, not both'],
    ['hooks:\n- webhook_env: B\n  format: parquet', '3:3 hooks[0].format needs export'],
    ['hooks:\n- export: /a\n  secret_file: b', '3:3 hooks[0].secret_file needs webhook'],
  ])('%j is reported', (text, message) => {
    expect(problemMessages(parseSettings(text))).toEqual([message]);
  });
});
