import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DECLARATION } from '../declaration/declaration.ts';
import { type Shape, settingKeys } from '../declaration/shape.ts';
import { configError } from '../problem.ts';
import { variableReference } from '../values/interpolate.ts';
import { findConfigFile } from './find-file.ts';
import { isTrusted, trust, untrust } from './trust-store.ts';
import { untrustedSettings } from './untrusted-settings.ts';
import { parseYaml } from './yaml-tree.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-trust-'));
  env = { HOME: join(folder, 'home') };
});
afterEach(() => rmSync(folder, { recursive: true }));

const refused = (text: string) =>
  untrustedSettings(DECLARATION, parseYaml(text).tree).map(({ setting, origin }) => {
    const at = origin.kind === 'file' ? `${origin.at.line}:${origin.at.column}` : '';
    return `${at} ${setting}`;
  });

/** Every setting by every key under which it can be written, with a file that has nothing else. */
function* everySetting(shape: Shape, path: string[] = []): Generator<{ path: string; text: string }> {
  if (shape.shape === 'list') yield* everySetting(shape.item, [...path, '[]']);
  else if (shape.shape === 'group')
    for (const [key, inner] of Object.entries(shape.keys))
      for (const name of settingKeys(key, inner)) yield* everySetting(inner, [...path, name]);
  else {
    const tree = path.reduceRight<unknown>(
      (inner, name) => (name === '[]' ? [inner] : { [name]: inner }),
      'x',
    );
    yield { path: path.join('.').replaceAll('.[]', '[]'), text: stringify(tree) };
  }
}

describe('a file that was found and not named', () => {
  it('may only hold these settings: a new one is not among them unless it is declared harmless', () => {
    const allowed = [...everySetting(DECLARATION)].filter(({ text }) => refused(text).length === 0);
    expect(allowed.map(({ path }) => path)).toEqual([
      'database.pool',
      'worker.concurrency',
      'worker.threads',
      'worker.reads_at_once',
      'queue.claim_timeout',
      'queue.heartbeat_interval',
      'queue.max_retries',
      'queue.stale_threshold',
      'queue.stall',
      'plan.min_objects_per_shard',
      'plan.max_initial_shards',
      'plan.unknown_shards',
      'plan.list_calls',
      'sources[].url',
      'sources[].cap',
      'sources[].rate',
      'sources[].burst',
      'sources[].prices.list',
      'sources[].prices.read',
      'sources[].prices.write',
      'sources[].prices.gigabyte',
      'budget',
      'alerts.stale_worker',
      'alerts.shard_without_progress',
      'alerts.dead_letters_per_minute',
      'alerts.limiter_waiting',
      'alerts.leader_changes_per_hour',
      'alerts.connections_percent',
      'alerts.rejected_messages_per_hour',
    ]);
  });

  it('is refused with the line and column of each setting that needs trust', () => {
    expect(
      refused(
        'worker: { threads: 1 }\nhooks:\n  - webhook: http://evil\nsources:\n  - url: s3://a\n    endpoint: http://evil\n',
      ),
    ).toEqual(['2:1 hooks', '6:5 sources[0].endpoint']);
    expect(refused('database:\n  pool: 3\n  url_file: /etc/shadow\nworkflows: [evil.ts]\n')).toEqual([
      '3:3 database.url_file',
      '4:1 workflows',
    ]);
  });

  it('may take less memory and time than usual, not more', () => {
    expect(
      refused('worker: { threads: 1, concurrency: 4, reads_at_once: 2 }\nqueue: { stall: 60s }\n'),
    ).toEqual([]);
    expect(
      refused(
        'worker: { threads: 256, memory: 300, concurrency: 5, reads_at_once: 17 }\nqueue: { stall: 1d }\ndatabase: { pool: 4 }\n',
      ),
    ).toEqual([
      '1:20 worker.threads',
      '1:25 worker.memory',
      '1:51 worker.concurrency',
      '1:69 worker.reads_at_once',
      '2:17 queue.stall',
      '3:19 database.pool',
    ]);
  });

  it('may not use variables, wherever they stand', () => {
    const token = variableReference('TOKEN');
    expect(refused(`budget: "requests=${variableReference('AWS_SECRET_ACCESS_KEY')}"\n`)).toEqual([
      '1:9 budget',
    ]);
    expect(refused(`worker:\n  threads: ["${token}"]\nunknown: { deep: "${token}" }\n`)).toHaveLength(2);
    expect(refused(`a: &a "${token}"\nbudget: *a\n`)).toHaveLength(2);
    expect(refused(`budget: "requests=$${token}"\n`)).toEqual([]);
  });

  it('may have headings without anything under them', () => {
    expect(refused('hooks:\ndatabase:\nredis: {}\nworkflows: []\n')).toEqual([]);
  });

  it('is reported with all its settings and both solutions', () => {
    const problems = untrustedSettings(
      DECLARATION,
      parseYaml('hooks: [{ webhook: http://evil }]\ntenant: a\n').tree,
    );
    const failure = configError(problems, 'seine.yaml');
    expect(failure.message).toMatch(/seine\.yaml:1:1: hooks\n.*seine\.yaml:2:1: tenant$/);
    expect(failure.hint).toContain('--config seine.yaml, or SEINE_CONFIG=seine.yaml');
    expect(failure.hint).toContain('seine config trust seine.yaml');
  });
});

describe('a file that was trusted', () => {
  const file = (name: string, text: string) => ({ path: join(folder, name), text });

  it('is trusted as long as neither its path nor its content changes', () => {
    trust(file('seine.yaml', 'tenant: a\n'), env);
    expect(isTrusted(file('seine.yaml', 'tenant: a\n'), env)).toBe(true);
    expect(isTrusted(file('seine.yaml', 'tenant: b\n'), env)).toBe(false);
    expect(isTrusted(file('other.yaml', 'tenant: a\n'), env)).toBe(false);
    trust(file('seine.yaml', 'tenant: b\n'), env);
    expect(isTrusted(file('seine.yaml', 'tenant: a\n'), env)).toBe(false);
    expect(untrust(join(folder, 'seine.yaml'), env)).toBe(true);
    expect(isTrusted(file('seine.yaml', 'tenant: b\n'), env)).toBe(false);
    expect(untrust(join(folder, 'seine.yaml'), env)).toBe(false);
  });

  it('is not trusted by a list that other users can write', () => {
    trust(file('seine.yaml', ''), env);
    chmodSync(join(env.HOME!, '.local/state/seine/trusted-configurations.json'), 0o666);
    expect(isTrusted(file('seine.yaml', ''), env)).toBe(false);
  });

  it('is found again by its folder, through links to the folder but not through a link to the file', () => {
    const [real, other] = [join(folder, 'real'), join(folder, 'other')];
    for (const path of [real, other]) mkdirSync(path);
    writeFileSync(join(real, 'seine.yaml'), 'tenant: a\n');
    trust({ path: join(real, 'seine.yaml'), text: 'tenant: a\n' }, env);
    symlinkSync(real, join(folder, 'link'));
    symlinkSync(join(real, 'seine.yaml'), join(other, 'seine.yaml'));
    const found = (cwd: string) => findConfigFile(undefined, join(folder, 'data'), env, cwd);
    expect(found(real)?.trusted).toBe(true);
    expect(found(join(folder, 'link'))?.trusted).toBe(true);
    expect(() => found(other)).toThrow('is a symbolic link');
  });
});

describe('the file of a data folder', () => {
  const found = (data: string, cwd: string) => {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'seine.yaml'), 'tenant: a\n');
    return findConfigFile(undefined, data, env, cwd)?.trusted;
  };

  it('is trusted in a folder of its user', () => {
    mkdirSync(join(folder, 'cwd'));
    expect(found(join(folder, 'data'), join(folder, 'cwd'))).toBe(true);
  });

  it('is not trusted when the data folder is part of the working folder, which may be a checkout', () => {
    expect(found(join(folder, '.seine'), folder)).toBe(false);
  });

  it('is none when the data folder is a file: what opens the folder says so', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(findConfigFile(undefined, join(folder, 'file'), env, folder)).toBeNull();
  });

  it('is not trusted when others can change the data folder', () => {
    mkdirSync(join(folder, 'cwd'));
    const data = join(folder, 'open');
    found(data, join(folder, 'cwd'));
    chmodSync(data, 0o777);
    expect(findConfigFile(undefined, data, env, join(folder, 'cwd'))?.trusted).toBe(false);
  });
});
