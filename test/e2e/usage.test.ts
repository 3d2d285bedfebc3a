/** Exit codes, and messages about invalid arguments. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../support/missing.ts';
import { scansOf } from '../support/results.ts';
import { CHECKOUT, openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
beforeAll(() => {
  put(tree, 'mail.txt', 'write to ada@example.org\n');
  put(tree, 'staff.csv', 'ssn\n219-18-4417\n219-18-4418\n');
});

const COMMANDS = [
  'scan',
  'plan',
  'resume',
  'worker',
  'monitor',
  'workers',
  'shards',
  'pause',
  'cancel',
  'deadletter',
  'hooks',
  'inspect',
  'scans',
  'show',
  'findings',
  'coverage',
  'diff',
  'baseline',
  'suppress',
  'suppressions',
  'runner',
  'partitions',
  'workflows',
  'config',
  'doctor',
  'completion',
];

describe('--fail-on', () => {
  it.each([
    ['LOW', 3],
    ['low', 3],
    ['CRITICAL', 0],
    ['SSN', 3],
    ['EMAIL,CREDIT_CARD', 3],
    ['CREDIT_CARD', 0],
  ])('%s ends with %i', async (word, code) => {
    expect((await seine.run(['scan', tree, '-q', '--fail-on', word])).code).toBe(code);
  });

  it('may be repeated', async () => {
    const { code } = await seine.run(['scan', tree, '-q', '--fail-on', 'CRITICAL', '--fail-on', 'SSN']);
    expect(code).toBe(3);
  });

  it('refuses a word that is neither a tier nor a type, before anything is scanned', async () => {
    const before = (await scansOf(seine)).length;
    const { code, stdout, stderr } = await seine.run(['scan', tree, '--fail-on', 'SNN']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('SNN');
    expect(stderr).toContain('CRITICAL');
    expect(await scansOf(seine)).toHaveLength(before);
  });
});

describe('wrong usage', () => {
  it.each([
    ['an unknown command', ['scna', tree], 'scan'],
    ['an unknown option', ['scan', tree, '--fast'], '--fast'],
    ['a target too few', ['scan'], 'target'],
    ['a target too many', ['scan', tree, tree], 'argument'],
    ['a size that is none', ['scan', tree, '--max-size', 'big'], '--max-size'],
    ['a date that is none', ['scan', tree, '--modified-since', 'yesterday'], '--modified-since'],
    ['a share above the whole', ['scan', tree, '--sample', '101'], '--sample'],
    ['no thread at all', ['scan', tree, '--threads', '0'], '--threads'],
    ['a scan number that is none', ['show', 'first'], 'first'],
    ['an unknown shell', ['completion', 'csh'], 'bash'],
    ['a rule file that is not there', ['scan', tree, '--rules', 'none.yaml'], 'none.yaml'],
  ])('%s ends with 2 and a sentence', async (_, words, word) => {
    const { code, stdout, stderr } = await seine.run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('no command at all shows the help and ends with 2', async () => {
    const { code, stdout, stderr } = await seine.run([]);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('Usage: seine');
  });
});

describe('what cannot be scanned', () => {
  it('a missing path is reported in one sentence', async () => {
    const { code, stdout, stderr } = await seine.run(['scan', join(seine.folder, 'nowhere')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`No such file or folder: ${join(seine.folder, 'nowhere')}`);
    expect(stderr.split('\n').length).toBeLessThan(5);
  });

  it('a scan that does not exist is reported in one sentence', async () => {
    for (const command of ['show', 'findings', 'coverage', 'resume']) {
      const { code, stderr } = await seine.run([command, '999']);
      expect(code).toBe(1);
      expect(stderr).toContain('No scan 999.');
    }
  });

  it('a folder is not inspected, even with a single file in it', async () => {
    const folder = join(seine.folder, 'single');
    put(folder, 'only.txt', 'ssn 219-18-4417\n');
    const { code, stdout, stderr } = await seine.run(['inspect', folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${folder} is a folder`);
    expect(stderr).toContain(`seine scan ${folder}\n`);
    expect((await seine.run(['inspect', join(folder, 'only.txt')])).code).toBe(0);
  });

  it('the hint contains the data folder that was given', async () => {
    const data = join(seine.folder, 'other data');
    const env = { SEINE_CALLED: './seine' };
    const missing = await seine.run(['show', '9', '--data', data], { env });
    expect(missing.stderr).toContain(`List the scans: ./seine scans --data '${data}'`);
    const none = await seine.run(['scans', '--data', data], { env });
    expect(none.stderr).toContain(`./seine scan FOLDER --data '${data}'\n`);
    const { stdout } = await seine.run(['scan', tree, '--data', data], { env });
    expect(stdout).toContain(`./seine show 1 --output report.html --data '${data}'`);
  });

  it('a data folder that is a file is reported in one sentence', async () => {
    const { code, stderr } = await seine.run(['scans', '--data', join(tree, 'mail.txt')]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not a folder');
  });

  it('an unreachable DATABASE_URL is reported in one sentence, without its password', async () => {
    const DATABASE_URL = 'postgres://seine:hush-hush@127.0.0.1:1/seine';
    const { code, stderr } = await seine.run(['scans'], { env: { DATABASE_URL } });
    expect(code).toBe(1);
    expect(stderr).toContain('The database cannot be reached.');
    expect(stderr).not.toContain('hush-hush');
  });
});

/** Root may read everything, so the whole program runs as another user. */
const asNobody = await canRunAsNobody();
reportMissing('user nobody', asNobody ? null : 'Needs root, and a folder that others can read.', {
  isOptional: true,
});

describe('no permission', () => {
  it.skipIf(!asNobody)(
    'a file that may not be read is skipped, and the scan goes on (needs root, and a checkout that others can read)',
    async () => {
      const closed = put(tree, 'closed/secret.txt', 'ssn 219-18-4417');
      chmodSync(closed, 0o000);
      const { code, stdout } = await runAsNobody(['scan', tree, '--json']).catch((error) => error);
      const report = JSON.parse(stdout);
      expect({ code, status: report.scan.status }).toEqual({ code: 1, status: 'incomplete' });
      expect(report.coverage.outcomes.skipped.objects).toBe(1);
      expect(report.coverage.reasons).toEqual([expect.objectContaining({ reason: 'no permission' })]);
    },
  );

  it.skipIf(!asNobody)(
    'a folder that may not be entered is in the ledger (needs root, and a checkout that others can read)',
    async () => {
      put(tree, 'locked/inner.txt', 'nothing');
      chmodSync(join(tree, 'locked'), 0o000);
      const ended = await runAsNobody(['scan', tree, '--json', '--exclude', 'closed/**']).catch(
        (error) => error,
      );
      const report = JSON.parse(ended.stdout);
      expect(ended.code).toBe(1);
      expect(report.coverage.reasons).toEqual([expect.objectContaining({ reason: 'no permission' })]);
    },
  );

  it.skipIf(!asNobody)(
    'a root that may not be entered is reported in one sentence (needs root, and a checkout that others can read)',
    async () => {
      const failed = await runAsNobody(['scan', join(tree, 'locked')]).catch((error) => error);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toMatch(/^seine: .*locked.*\n/);
    },
  );
});

describe('help', () => {
  it.each(COMMANDS)(
    '%s --help names every option of the command, its arguments and its purpose',
    async (command) => {
      const { code, stdout, stderr } = await seine.run([command, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: seine ${command}`);
      for (const option of OPTIONS[command] ?? []) expect(stdout).toContain(option);
    },
  );

  it('seine --help names every command', async () => {
    const { code, stdout } = await seine.run(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });

  it('the exit codes stand in the help of scan', async () => {
    expect((await seine.run(['help', 'scan'])).stdout).toMatch(/Exit codes: 0 .* 1 .* 2 .* 3 /);
  });
});

const RESULT = [
  '--output',
  '--format',
  '--quiet',
  '--fail-on',
  '--baseline',
  '--baseline-file',
  '--threads',
  '--data',
  '--json',
  '--no-color',
];
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  scan: [
    ...RESULT,
    '--include',
    '--exclude',
    '--max-size',
    '--modified-since',
    '--sample',
    '--rules',
    '--full',
  ],
  resume: [...RESULT, '--rules', '--rules-changed'],
  inspect: ['--rules', '--json'],
  scans: ['--limit', '--json'],
  show: ['--output', '--format', '--json'],
  findings: ['--where', '--objects', '--limit', '--format', 'has(TYPE)', 'missing(FIELD)'],
  coverage: ['--list', '--json'],
  diff: ['--limit', '--fail-on', '--json'],
  baseline: ['create', 'diff', 'list', 'remove', 'export'],
  suppress: ['--reason', '--owner', '--until', '--this-object-only', '--path', '--detector', '--source'],
  suppressions: ['list', 'show', 'remove', 'unused', 'export', 'import'],
  runner: ['--workflow', '--module', '--partition', '--concurrency', '--until-idle', '--json'],
  partitions: ['status', 'start', 'scale', 'repair-log'],
  workflows: [
    'list',
    'show',
    'events',
    'pause',
    'resume',
    'cancel',
    'parked',
    'retry',
    'replay',
    'signal',
    'archive',
  ],
  hooks: ['list', 'run'],
  doctor: ['--json'],
  completion: ['bash', 'zsh', 'fish'],
};

async function runAsNobody(words: readonly string[]): Promise<string> {
  const command = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
  const main = ['--disable-warning=ExperimentalWarning', join(CHECKOUT, 'src/main.ts')];
  const env = {
    PATH: process.env.PATH ?? '',
    SEINE_DATA: join(seine.folder, 'of-nobody'),
    SEINE_IDLE_STOP: '1',
  };
  return (await promisify(execFile)('setpriv', [...command, ...main, ...words], { env, cwd: '/' })).stdout;
}

async function canRunAsNobody(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  mkdirSync(join(seine.folder, 'of-nobody'));
  chownSync(join(seine.folder, 'of-nobody'), 65534, 65534);
  return runAsNobody(['--version']).then(
    () => true,
    () => false,
  );
}
