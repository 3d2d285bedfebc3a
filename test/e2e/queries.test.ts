/** The commands that inspect one file, or query the results of scans. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../support/missing.ts';
import { type FindingLine, parseLines, scanned } from '../support/results.ts';
import { CHECKOUT, openSeine } from '../support/seine.ts';
import { ensurePackages } from '../support/servers/apt.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
const missing = {
  zsh: reportMissing('zsh', await ensurePackages(['zsh'])),
  fish: reportMissing('fish', await ensurePackages(['fish'])),
};
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
const staff = put(
  tree,
  'hr/staff.csv',
  'team,ssn,mail\nred,219-18-4417,ada@example.org\nblue,219-18-4418,bo@example.org\n',
);
put(tree, 'it/hosts.txt', 'write to admin@example.org\n');
put(tree, 'shop/cards.txt', 'card 4111 1111 1111 1111 paid\n');
put(tree, 'empty.txt', '');
const picture = put(tree, 'logo.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
beforeAll(() => scanned(seine, [tree]));

const lines = async (...words: string[]) => {
  const { code, stdout, stderr } = await seine.run(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parseLines<FindingLine>(stdout);
};

describe('inspect', () => {
  it('shows every finding of a file, why, and how the score comes about', async () => {
    const { code, stdout, stderr } = await seine.run(['inspect', staff]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^\s+\d+:\d+ +SSN .*field name/gm)).toHaveLength(2);
    expect(stdout).toMatch(/2 findings of SSN/);
    expect(stdout).not.toContain('219-18-4417');
  });

  it('reads standard input', async () => {
    const { code, stdout } = await seine.run(['inspect', '-'], { stdin: 'my ssn is 219-18-4417\n' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/1:11 +SSN/);
  });

  it('is one JSON document with --json', async () => {
    const inspection = JSON.parse((await seine.run(['inspect', staff, '--json'])).stdout);
    expect(inspection).toMatchObject({ file: staff, outcome: 'scanned', counts: { SSN: 2, EMAIL: 2 } });
    expect(inspection.findings).toHaveLength(4);
    expect(inspection.why.parts.length).toBeGreaterThan(0);
  });

  it('its JSON keeps the fields of earlier versions', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'seine-inspect-')), 'picture.png');
    writeFileSync(file, Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'));
    const picture = JSON.parse((await seine.run(['inspect', file, '--json'])).stdout);
    expect(picture).toMatchObject({ reason: 'picture: OCR is off', reasonCode: 'ocr-off' });
    rmSync(file);
    const { levels, contests, confidenceHistogram, overlapCounts } = JSON.parse(
      (await seine.run(['inspect', join(CHECKOUT, 'examples/data/hr/salaries-2024.xlsx'), '--json'])).stdout,
    );
    expect({ levels, contests }).toEqual({ levels: confidenceHistogram, contests: overlapCounts });
    expect(levels).toBeDefined();
  });

  it('lists as many findings of a type as requested, and counts them all', async () => {
    const many = put(seine.folder, 'many.txt', 'ann@example.org\n'.repeat(3000));
    const inspection = JSON.parse((await seine.run(['inspect', many, '--json'])).stdout);
    expect(inspection.counts).toEqual({ EMAIL: 3000 });
    expect(inspection.findings).toHaveLength(1000);
    const { stdout } = await seine.run(['inspect', many, '--max-findings', '2']);
    expect(stdout.match(/^\s*\d+:\d+ +EMAIL /gm)).toHaveLength(2);
    expect(stdout).toContain('Not listed: 2,998 of EMAIL. Raise --max-findings to list them.');
    expect((await seine.run(['inspect', many, '--max-findings', 'all'])).code).toBe(2);
  });

  it('follows a rule file', async () => {
    const rules = put(seine.folder, 'rules.yaml', 'detectors:\n  exclude: [SSN]\n');
    const inspection = JSON.parse((await seine.run(['inspect', staff, '--json', '--rules', rules])).stdout);
    expect(inspection.counts).toEqual({ EMAIL: 2 });
  });

  it('calls an empty file empty of findings, and a format that it cannot read unread', async () => {
    expect((await seine.run(['inspect', join(tree, 'empty.txt')])).stdout).toContain('No findings.');
    const unread = await seine.run(['inspect', picture]);
    expect(unread.code).toBe(1);
    expect(unread.stdout).toContain('skipped: picture: OCR is off');
    expect(JSON.parse((await seine.run(['inspect', picture, '--json'])).stdout)).toMatchObject({
      outcome: 'skipped',
      reason: 'picture: OCR is off',
      reasonCode: 'ocr-off',
    });
    expect(unread.stdout).not.toContain('No findings');
  });

  it.each([
    ['a missing file', ['inspect', join(tree, 'none.txt')], 'No such file or folder'],
    ['a folder', ['inspect', tree], 'is a folder'],
  ])('refuses %s with a sentence', async (_, words, sentence) => {
    const { code, stdout, stderr } = await seine.run(words);
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(sentence);
  });
});

describe('scans, show and coverage', () => {
  it('scans lists them, newest first', async () => {
    await scanned(seine, [join(tree, 'hr')]);
    const [newest, oldest] = parseLines<{ id: number; status: string }>(
      (await seine.run(['scans', '--json'])).stdout,
    );
    expect([newest, oldest]).toMatchObject([
      { id: 2, status: 'completed', objects: 1, findings: 4 },
      { id: 1, objects: 5 },
    ]);
    const table = (await seine.run(['scans', '--limit', '1'])).stdout.trimEnd().split('\n');
    expect(table).toHaveLength(2);
    expect(table[1]).toContain(`fs:${join(tree, 'hr')}`);
  });

  it('show prints the report of a scan again, and writes it to files', async () => {
    const { stdout } = await seine.run(['show', '1']);
    expect(stdout).toContain('5 objects: 4 scanned, 1 skipped');
    expect((await seine.run(['show'])).stdout).toContain('scan 2');
    const csv = (await seine.run(['show', '1', '-o', '-', '--format', 'csv'])).stdout;
    expect(csv.trimEnd().split('\r\n')).toHaveLength(7);
  });

  it('coverage gives the sums, and by name what was not read', async () => {
    const { stdout } = await seine.run(['coverage', '1']);
    expect(stdout).toContain('5 objects: 4 scanned, 1 skipped');
    expect(stdout).toContain('5 listed, 5 accounted for');
    const gaps = await seine.run(['coverage', '1', '--list']);
    expect(gaps.stdout).toBe('skipped  logo.png  (picture: OCR is off)\n');
    const json = parseLines(
      await seine.run(['coverage', '1', '--list', '--json']).then((ended) => ended.stdout),
    );
    expect(json).toEqual([expect.objectContaining({ key: 'logo.png', outcome: 'skipped' })]);
  });
});

describe('findings', () => {
  it.each([
    ['has(SSN) and tier >= LOW and path ~ "hr/"', ['EMAIL', 'EMAIL', 'SSN', 'SSN']],
    ['detector = SSN', ['SSN', 'SSN']],
    ['count(EMAIL) > 1 and detector = email', ['EMAIL', 'EMAIL']],
    ['not has(SSN)', ['CREDIT_CARD', 'EMAIL']],
    ['missing(field) and category = contact', ['EMAIL']],
    ['(folder = "shop" or folder = "it") and confidence > 0', ['CREDIT_CARD', 'EMAIL']],
    ['extension = csv and line = 3', ['EMAIL', 'SSN']],
    ['path !~ "^(hr|it)/"', ['CREDIT_CARD']],
    ['size > 1GB', []],
  ])('--where %s', async (filter, detectors) => {
    const found = await lines('findings', '1', '--json', '--where', filter);
    expect(found.map(({ detector }) => detector).sort()).toEqual(detectors);
  });

  it.each([
    ['has(SSN) and teir >= HIGH', 'teir', 'tier'],
    ['has(SNN)', 'SNN', 'SSN'],
    ['path ~ "(["', '([', ''],
    ['tier >= HIGH and', '', ''],
    ['size > lots', 'lots', ''],
  ])('an error in %s points at its column', async (filter, wrong, suggestion) => {
    const { code, stdout, stderr } = await seine.run(['findings', '--where', filter]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [, picture = '', carets = ''] = stderr.split('\n');
    expect(picture).toBe(`  ${filter}`);
    expect(carets).toMatch(/^ +\^+$/);
    if (wrong !== '') expect(carets.indexOf('^')).toBe(picture.indexOf(wrong));
    expect(stderr).toContain(suggestion);
  });

  it('--objects lists objects instead, --limit stops', async () => {
    const { stdout } = await seine.run(['findings', '1', '--objects', '--json', '--where', 'has(EMAIL)']);
    expect(parseLines<FindingLine>(stdout).map(({ key }) => key)).toEqual(['hr/staff.csv', 'it/hosts.txt']);
    expect((await seine.run(['findings', '1', '--objects'])).stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(await lines('findings', '1', '--json', '--limit', '2')).toHaveLength(2);
  });

  it('the table has a line for each, and the sum on stderr', async () => {
    const { stdout, stderr } = await seine.run(['findings', '1']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
    expect(stderr).toBe('6 findings\n');
  });
});

describe('doctor', () => {
  it('checks everything that a scan needs', async () => {
    const { code, stdout, stderr } = await seine.run(['doctor']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^ok {2}/);
    expect(stdout).toContain(seine.data);
    expect(stdout).toMatch(/database +PostgreSQL \d+/);
  });

  it('exits with 1 and reports the cause', async () => {
    const DATABASE_URL = 'postgres://seine@127.0.0.1:1/seine';
    const { code, stdout } = await seine.run(['doctor'], { env: { DATABASE_URL } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}database .*cannot be reached/m);
    expect(stdout).toMatch(/^ok {4}detectors/m);
  });
});

describe('completion', () => {
  const script = async (shell: string) => (await seine.run(['completion', shell])).stdout;
  const complete = async (...words: string[]) => {
    const line = `${await script('bash')}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _seine; echo "\${COMPREPLY[*]}"`;
    return (await promisify(execFile)('bash', ['-c', line, 'bash', ...words])).stdout.trim().split(' ');
  };

  it('bash completes commands, options and their values', async () => {
    expect(await complete('seine', 'sc')).toEqual(['scan', 'scans']);
    expect(await complete('seine', 'scan', '--mod')).toEqual(['--modified-since']);
    expect(await complete('seine', 'resume', '--rules-changed', '')).toEqual(['old', 'new']);
    expect(await complete('seine', 'scan', '--format', 's')).toEqual(['sarif']);
    expect(await complete('seine', 'scan', join(tree, 'sho'))).toEqual([join(tree, 'shop')]);
  });

  it('bash completes the verbs of a command, and values of an option as the command has them', async () => {
    expect(await complete('seine', 'suppressions', 'un')).toEqual(['unused']);
    expect(await complete('seine', 'baseline', 'cr')).toEqual(['create']);
    expect(await complete('seine', 'diff', '--fail-on', 'n')).toEqual(['new']);
    expect(await complete('seine', 'scan', '--fail-on', 'ne')).toEqual(['']);
  });

  it('bash completes the name of a shell', async () => {
    expect(await complete('seine', 'completion', 'z')).toEqual(['zsh']);
  });

  it.each(['zsh', 'fish'])('%s gets a script that names every command', async (shell) => {
    for (const command of ['scan', 'resume', 'inspect', 'findings', 'doctor'])
      expect(await script(shell)).toContain(command);
  });

  it.skipIf(missing.zsh)('zsh accepts its script (needs zsh)', async () => {
    await promisify(execFile)('zsh', ['-n', '-c', await script('zsh')]);
  });

  it.skipIf(missing.fish)('fish accepts its script (needs fish)', async () => {
    await promisify(execFile)('fish', ['--no-execute', '-c', await script('fish')]);
  });
});
