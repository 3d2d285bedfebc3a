import { describe, expect, it } from 'vitest';
import { parseSettings, problemMessages } from './config.fixture.ts';

describe('distributed mode', () => {
  it('needs a database', () => {
    expect(problemMessages(parseSettings('mode: distributed'))).toEqual([
      '1:7 distributed mode requires a database shared by all workers',
    ]);
    expect(problemMessages(parseSettings('', { SEINE_MODE: 'distributed' }))).toEqual([
      'distributed mode requires a database shared by all workers',
    ]);
    expect(problemMessages(parseSettings('mode: distributed', { DATABASE_URL: 'postgres://db' }))).toEqual(
      [],
    );
    expect(problemMessages(parseSettings('mode: distributed\ndatabase: { url_env: DB }'))).toEqual([]);
  });

  it('reports an error once: an invalid URL is not also a missing one', () => {
    expect(problemMessages(parseSettings('mode: distributed\ndatabase: { url: mysql://db }'))).toEqual([
      '2:18 database.url must start with postgres://',
    ]);
  });
});

describe('heartbeats', () => {
  it('must come at least twice before a worker counts as gone', () => {
    expect(
      problemMessages(parseSettings('queue: { heartbeat_interval: 10s, stale_threshold: 20s }')),
    ).toEqual([]);
    expect(
      problemMessages(parseSettings('queue: { heartbeat_interval: 10s, stale_threshold: 19s }')),
    ).toEqual(['1:52 queue.stale_threshold must be at least twice queue.heartbeat_interval']);
  });
});

describe('a budget', () => {
  it('is one', () => {
    expect(problemMessages(parseSettings('budget: requests=2M, cost=$40'))).toEqual([]);
    const wrong = parseSettings('budget: requests=2M, cst=$40');
    expect(problemMessages(wrong)).toEqual([
      '1:9 budget: unknown limit "cst"; limits are requests, bytes, cost, time',
    ]);
    expect(wrong.problems[0]!.hint).toMatch(/^A budget is a list of limits, such as: .*$/);
  });

  it('of the environment is one, too', () => {
    expect(problemMessages(parseSettings('', { SEINE_BUDGET: 'much' }))).toEqual([
      'budget: "much" has no value',
    ]);
  });
});

describe('sources', () => {
  const source = (...lines: string[]) => parseSettings(`sources:\n- ${lines.join('\n  ')}\n`);

  it.each([
    [['url: s3://a', 'account: b'], '3:12 sources[0].account is for azure, not for s3'],
    [['url: /srv', 'region: b'], '3:11 sources[0].region is for s3, not for fs'],
    [
      ['url: gs://a', 'credentials: { sas_token_env: B }'],
      '3:33 sources[0].credentials.sas_token is for azure, not for gcs',
    ],
    [['url: az://a', 'shared: true'], '3:11 sources[0].shared is for fs, not for azure'],
    [
      ['url: s3://a', 'anonymous: true', 'credentials: { access_key_id: A, secret_access_key_env: B }'],
      '3:14 sources[0] is anonymous and has credentials',
    ],
    [
      ['url: s3://a', 'credentials: { access_key_id: A }'],
      '3:33 sources[0].credentials has access_key_id but no secret_access_key',
    ],
  ])('%j contradict themselves', (lines, message) => {
    expect(problemMessages(source(...lines))).toEqual([message]);
  });

  it('have different addresses', () => {
    expect(
      problemMessages(parseSettings('sources:\n- url: s3://a\n- url: s3://b\n- url: s3://a/\n')),
    ).toEqual(['4:8 sources[2] has the same url as sources[0]']);
    expect(problemMessages(parseSettings('sources:\n- url: /srv\n- url: file:///srv/\n'))).toHaveLength(1);
  });

  it('of an unknown provider may have anything', () => {
    expect(problemMessages(source('url: other://a', 'region: b', 'account: c'))).toEqual([]);
  });
});

describe('hooks', () => {
  it('have names of their own', () => {
    expect(problemMessages(parseSettings('hooks:\n- export: /a\n- export: /b\n'))).toEqual([]);
    expect(
      problemMessages(parseSettings('hooks:\n- { export: /a, name: x }\n- { export: /b, name: x }\n')),
    ).toEqual(['3:23 two hooks are named x']);
    expect(
      problemMessages(parseSettings('hooks:\n- export: /a\n- { export: /b, name: export 1 }\n')),
    ).toHaveLength(1);
  });
});
