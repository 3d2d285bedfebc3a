/** What is known: suppressed findings, baselines, and the difference of two scans, as their users meet them. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf, parseLines, reportOf, scanned } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
put(tree, 'hr/staff.csv', 'name,ssn\nAda Otter,219-18-4417\nBo Gull,219-18-4418\n');
put(tree, 'test/accounts.txt', 'write to tester@otters.org\n');
// Only these two, whatever else there is to be found by and by.
const rules = put(seine.folder, 'rules.yaml', 'detectors:\n  include: [SSN, EMAIL]\n');
const target = [tree, '--rules', rules];
const why = ['--reason', 'a made-up person', '--owner', 'team-hr'];

async function said(...words: string[]): Promise<string> {
  const { code, stderr } = await seine.run(words);
  expect(code, stderr).toBe(0);
  return stderr;
}

describe('suppressing', () => {
  let first: string;
  beforeAll(async () => {
    first = (await scanned(seine, target)).scan.id;
  });

  it('accepts the handle that seine findings shows, and requires a reason and an owner', async () => {
    const [found] = await findingsOf(seine, first, ['--where', 'detector = SSN']);
    const handle = String(found!.handle);
    expect((await seine.run(['findings', first])).stdout).toContain(handle);
    const refused = await seine.run(['suppress', handle, '--reason', 'x']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--owner is missing') });
    expect(await said('suppress', handle, ...why, '--until', '90d')).toMatch(
      /^Suppression 1: SSN .* until \d{4}-/,
    );
    expect(await said('suppress', '--path', 'test/**', '--detector', 'EMAIL', ...why)).toContain(
      'Suppression 2',
    );
  });

  it('excludes the findings from counts and exit codes, and the report shows how many', async () => {
    const { code, stdout } = await seine.run(['scan', ...target, '--json', '-q', '--fail-on', 'EMAIL']);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ findings: 1, suppressed: { findings: 2, suppressions: 2 } });
    expect((await seine.run(['show'])).stdout).toContain('2 findings suppressed (2 suppressions)');
  });

  it('still matches when lines and files move', async () => {
    const text = readFileSync(join(tree, 'hr/staff.csv'), 'utf8');
    put(tree, 'hr/staff.csv', text.replace('Ada', 'Eve Hare,219-18-4419\nAda'));
    renameSync(join(tree, 'hr/staff.csv'), join(tree, 'hr/people.csv'));
    expect(await scanned(seine, target)).toMatchObject({ findings: 2, suppressed: { findings: 2 } });
  });

  it('is listed with its hits, exported without a value, and imported again', async () => {
    const lines = parseLines<{ id: number; hits: number }>(
      (await seine.run(['suppressions', 'list', '--json'])).stdout,
    );
    expect(lines.map(({ id, hits }) => [id, hits])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const file = join(seine.folder, 'suppressions.json');
    await said('suppressions', 'export', '--output', file);
    expect(readFileSync(file, 'utf8')).not.toContain('219-18');
    expect(await said('suppressions', 'import', file)).toContain('0 suppressions added, 2 already existed.');
    const ignore = put(seine.folder, '.gitleaksignore', 'app/conf.py:jwt:3\napp/conf.py:acme-sauce:4\n');
    const output = await said('suppressions', 'import', ignore, '--owner', 'team-app');
    expect(output).toContain('1 suppression added');
    expect(output).toContain('no detector is known for the rule acme-sauce');
  });

  it('that is no longer used is reported', async () => {
    await scanned(seine, target);
    const unused = await seine.run(['suppressions', 'unused', '--scans', '1', '--fail', '--json']);
    expect(unused.code).toBe(3);
    expect(parseLines<{ id: number }>(unused.stdout).map(({ id }) => id)).toEqual([3]);
    await said('suppressions', 'remove', '1', '2', '3');
    expect(await scanned(seine, target)).toMatchObject({ findings: 4, suppressed: { findings: 0 } });
  });
});

describe('a baseline', () => {
  const file = join(seine.folder, 'seine-baseline.jsonl');

  it('keeps only what is new, for the report and the exit code', async () => {
    await said('baseline', 'create', 'main');
    const same = await seine.run([
      'scan',
      ...target,
      '--baseline',
      'main',
      '--fail-on',
      'MINIMAL',
      '--json',
      '-q',
    ]);
    expect(reportOf(same)).toMatchObject({ findings: 0, baseline: { name: 'main', new: 0, known: 4 } });
    put(tree, 'new.txt', 'write to fresh@otters.org\n');
    const more = await seine.run(['scan', ...target, '--baseline', 'main', '--fail-on', 'MINIMAL']);
    expect(more.code).toBe(3);
    expect(more.stdout).toContain('1 new against the baseline main; 4 known, 0 gone');
  });

  it('as a file serves an installation that has the key, and no other', async () => {
    await said('baseline', 'export', 'main', '--output', file);
    const key = readFileSync(join(seine.data, 'fingerprint.key')).toString('hex');
    const elsewhere = join(seine.folder, 'elsewhere');
    const words = ['scan', ...target, '--baseline-file', file, '--json', '-q', '--data', elsewhere];
    const stranger = await seine.run(words, { env: { SEINE_FINGERPRINT_KEY: '0'.repeat(64) } });
    expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('another key than yours') });
    const friend = await seine.run(
      ['scan', ...target, '--baseline-file', file, '--json', '-q', '--data', `${elsewhere}-2`],
      {
        env: { SEINE_FINGERPRINT_KEY: key },
      },
    );
    expect(reportOf(friend)).toMatchObject({ findings: 1, baseline: { new: 1, known: 4 } });
  });

  it('is checked before the scan starts', async () => {
    const { code, stderr } = await seine.run(['scan', ...target, '--baseline', 'mian']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No baseline mian.'),
    });
  });
});

describe('the difference of two scans', () => {
  it('is shown with its causes, by default for the last two', async () => {
    put(tree, 'new.txt', 'nothing any more\n');
    put(tree, 'moved.txt', 'once in new.txt: fresh@otters.org\n');
    put(tree, 'newer.txt', 'write to newest@otters.org\n');
    await scanned(seine, target);
    const { code, stdout } = await seine.run(['diff', '--fail-on', 'new']);
    expect(code).toBe(3);
    expect(stdout).toContain('1 new, 0 gone, 1 moved, 4 unchanged');
    expect(stdout).toMatch(/> moved .* new\.txt:1 → moved\.txt:1/);
    expect(stdout).toMatch(/\+ new +data +EMAIL +newer\.txt:1/);
    const [head, ...rest] = parseLines<Record<string, unknown>>((await seine.run(['diff', '--json'])).stdout);
    expect(head).toMatchObject({ summary: { totals: { new: 1, gone: 0, moved: 1, unchanged: 4 } } });
    expect(rest).toHaveLength(2);
  });
});
