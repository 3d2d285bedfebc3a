import { describe, expect, it } from 'vitest';
import { parseSettings, problemMessages } from '../config.fixture.ts';
import { variableReference } from './interpolate.ts';

function credentials(line: string, env: NodeJS.ProcessEnv = {}) {
  return parseSettings(`sources:\n- url: other://a\n  credentials:\n    ${line}\n`, env);
}

describe('a secret', () => {
  it('is named by its variable or its file, whose path begins at the configuration', () => {
    const token = (line: string) => credentials(line).values.sources[0]!.credentials.token;
    expect(token('token_env: KEY')).toEqual({ from: 'env', name: 'KEY' });
    expect(token('token_file: /run/key')).toEqual({ from: 'file', path: '/run/key' });
    expect(token('token_file: keys/key')).toEqual({ from: 'file', path: '/etc/seine/keys/key' });
    expect(token(`token: ${variableReference('KEY')}`)).toEqual({
      from: 'text',
      text: variableReference('KEY'),
    });
  });

  it('is not fetched when the configuration is read', () => {
    expect(problemMessages(credentials(`token: ${variableReference('KEY')}`))).toEqual([]);
    expect(problemMessages(credentials('token_file: /nowhere'))).toEqual([]);
  });

  it.each([
    ['token: hush', '4:12 sources[0].credentials.token is a secret and must not be written in the file'],
    ['token: "hush"', '4:12 sources[0].credentials.token is a secret and must not be written in the file'],
    [
      `token: hush${variableReference('KEY')}`,
      '4:12 sources[0].credentials.token is a secret and must not be written in the file',
    ],
    [
      `token: ${variableReference('KEY:-hush')}`,
      '4:12 sources[0].credentials.token is a secret and must not be written in the file',
    ],
    ['token: 1234', '4:12 sources[0].credentials.token must be a text'],
    ['token: [hush]', '4:12 sources[0].credentials.token must be a text'],
    ['token:', '4:11 sources[0].credentials.token must be a text'],
    [
      'token_env: hush-hush',
      '4:16 sources[0].credentials.token_env must be the name of an environment variable',
    ],
    [
      'token: "${hush"',
      '4:12 sources[0].credentials.token cannot be used: A variable has no name, or its } is missing',
    ],
    [
      `token_file: ${variableReference('HOME_')}/hush`,
      '4:17 sources[0].credentials.token_file cannot be used: The environment variable HOME_ is not set',
    ],
    ['tokn: hush', "4:5 sources[0].credentials has no setting 'tokn'"],
  ])('%j is refused without being quoted', (line, message) => {
    const settings = credentials(line);
    expect(problemMessages(settings)).toEqual([message]);
    expect(JSON.stringify(settings.problems)).not.toContain('hush');
  });

  it('is said once', () => {
    expect(problemMessages(credentials('token_file: a\n    token_env: B'))).toEqual([
      '5:5 sources[0].credentials.token is set twice: token_file and token_env',
    ]);
  });

  it('the name of a key is none', () => {
    const { values, problems } = credentials('access_key_id: AKIA1\n    secret_access_key_env: KEY');
    expect(problems).toEqual([]);
    expect(values.sources[0]!.credentials.access_key_id).toEqual({ from: 'text', text: 'AKIA1' });
  });
});

describe('an address', () => {
  it('may stand in the file without its password', () => {
    const url = (text: string) => parseSettings(`database: { url: "${text}" }`);
    expect(url('postgres://seine@db/seine').values.database.url).toEqual({
      from: 'text',
      text: 'postgres://seine@db/seine',
    });
    expect(problemMessages(url(`postgres://seine:${variableReference('PW')}@db/seine`))).toEqual([]);
    expect(problemMessages(url('postgres://seine:hush@db/seine'))).toEqual([
      '1:18 database.url contains a password, which must not be written in the file',
    ]);
    expect(problemMessages(url(`postgres://seine:${variableReference('PW:-hush')}@db/seine`))).toHaveLength(
      1,
    );
    expect(problemMessages(url('mysql://db'))).toEqual(['1:18 database.url must start with postgres://']);
  });

  it('of the environment comes before that of the file', () => {
    const file = 'database: { url_env: OTHER }';
    const { values, settings } = parseSettings(file, {
      DATABASE_URL: 'postgres://db',
      OTHER: 'postgres://other',
    });
    expect(values.database.url).toEqual({ from: 'env', name: 'DATABASE_URL' });
    expect(settings.find(({ path }) => path === 'database.url')!.origin).toEqual({
      kind: 'env',
      name: 'DATABASE_URL',
    });
    expect(parseSettings(file).values.database.url).toEqual({ from: 'env', name: 'OTHER' });
  });
});
