import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FindingLine, parseLines, type ReportJson, scansOf } from '../support/results.ts';
import { CHECKOUT, type Ended, openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
const out = join(seine.folder, 'out');
const file = (name: string) => join(out, name);
const text = (name: string) => readFileSync(file(name), 'utf8');

let first: Ended;
beforeAll(async () => {
  mkdirSync(out);
  put(tree, 'hr/staff.csv', 'team,ssn,mail\nred panda,219-18-4417,ada@example.org\n');
  put(tree, '=cmd.csv', 'card\n4111 1111 1111 1111\n');
  put(tree, 'notes.txt', 'nothing to see\n');
  put(tree, 'logo.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const outputs = ['a.jsonl', 'b.sarif', 'c.csv', 'd.html', 'e.json', 'f.txt'].flatMap((name) => [
    '-o',
    file(name),
  ]);
  first = await seine.run(['scan', tree, ...outputs]);
});

describe('several outputs of one run', () => {
  it('are all written, in addition to the report on stdout, and leave no partial file', () => {
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('Objects by risk');
    expect(readdirSync(out).sort()).toEqual(['a.jsonl', 'b.sarif', 'c.csv', 'd.html', 'e.json', 'f.txt']);
  });

  it('JSONL has one finding a line with every field, and offsets that point at the value', () => {
    const lines = parseLines<FindingLine>(text('a.jsonl'));
    expect(lines.map((line) => line.detector).sort()).toEqual(['CREDIT_CARD', 'EMAIL', 'SSN']);
    const ssn = lines.find((line) => line.detector === 'SSN')!;
    expect(ssn).toMatchObject({
      scan: '1',
      source: `fs:${tree}`,
      key: 'hr/staff.csv',
      category: 'direct_identifier',
      field: 'ssn',
      line: 2,
      column: 11,
      masked: '•••-••-4417',
      confidence: expect.any(Number),
      tier: expect.stringMatching(/^(MINIMAL|LOW|MEDIUM|HIGH|CRITICAL)$/),
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      reasons: expect.arrayContaining(['pattern']),
    });
    const content = readFileSync(join(tree, 'hr/staff.csv'));
    expect(content.subarray(ssn.start, ssn.end).toString()).toBe('219-18-4417');
  });

  it('SARIF names each finding once, with a rule of its own and a stable fingerprint', () => {
    const log = JSON.parse(text('b.sarif'));
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    const rules: string[] = run.tool.driver.rules.map((rule: { id: string }) => rule.id);
    expect(run.results.map((result: { ruleId: string }) => result.ruleId).sort()).toEqual([
      'CREDIT_CARD',
      'EMAIL',
      'SSN',
    ]);
    for (const result of run.results) {
      expect(rules).toContain(result.ruleId);
      expect(Object.keys(result.partialFingerprints).length).toBeGreaterThan(0);
    }
  });

  it('CSV has a line for each finding and no cell that a spreadsheet would run', () => {
    const rows = text('c.csv').trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^scan,source,key,/);
    expect(rows).toHaveLength(4);
    expect(text('c.csv')).toContain(",'=cmd.csv,");
    expect(text('c.csv')).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  it('HTML is one page that loads nothing', () => {
    expect(text('d.html')).toMatch(/^<!doctype html>/i);
    expect(text('d.html')).toContain('hr/staff.csv');
    expect(text('d.html')).not.toMatch(/(src|href)=["']?(https?:)?\/\//i);
  });

  it('JSON and text contain the same report', () => {
    const report = JSON.parse(text('e.json')) as ReportJson;
    expect(report.coverage).toMatchObject({ complete: false, objects: 4 });
    expect(report.findings).toBe(3);
    expect(text('f.txt')).toContain('4 objects: 3 scanned, 1 skipped');
  });

  it('no output contains a value', () => {
    const everything = first.stdout + readdirSync(out).map(text).join('\n');
    for (const value of ['219-18-4417', 'ada@example.org', '4111 1111 1111 1111', 'Ada Otter'])
      expect(everything).not.toContain(value);
  });
});

describe('standard output', () => {
  it('contains an output that was requested with - and nothing else', async () => {
    const { code, stdout } = await seine.run([
      'scan',
      tree,
      '-o',
      '-',
      '--format',
      'jsonl',
      '-o',
      file('g.jsonl'),
    ]);
    expect(code).toBe(0);
    expect(parseLines(stdout)).toHaveLength(3);
    expect(stdout).toBe(text('g.jsonl'));
  });

  it('is one JSON document with --json', async () => {
    const { stdout } = await seine.run(['scan', tree, '--json']);
    expect((JSON.parse(stdout) as ReportJson).scan.status).toBe('completed');
  });

  it('is empty with --quiet, and so is stderr', async () => {
    expect(await seine.run(['scan', tree, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('has colours only when they are wanted', async () => {
    const colours = { FORCE_COLOR: '1' };
    const paint = '\x1b[';
    expect((await seine.run(['show'], { env: colours })).stdout).toContain(paint);
    expect((await seine.run(['show', '--no-color'], { env: colours })).stdout).not.toContain(paint);
    expect((await seine.run(['show'], { env: { NO_COLOR: '1' } })).stdout).not.toContain(paint);
    expect((await seine.run(['show'])).stdout).not.toContain(paint);
  });

  it('may be closed by its reader in the middle', async () => {
    const { code, stdout, stderr } = await shell('"$@" findings --json | head -n 1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parseLines(stdout)).toHaveLength(1);
  });

  it.each([
    ['the report', ''],
    ['an output', '-o - --format jsonl'],
    ['progress and the report', '2>&1'],
  ])('closed at once takes %s and leaves the exit code as it is', async (_, more) => {
    const { code, stderr } = await shell(`"$@" scan '${tree}' --fail-on LOW ${more} | true`);
    expect(code).toBe(3);
    expect(stderr).not.toContain('EPIPE');
  });

  it('closed at once costs no other output', async () => {
    const { code } = await shell(`"$@" show -o - --format csv -o '${file('i.csv')}' | true`);
    expect(code).toBe(0);
    expect(text('i.csv')).toContain('SSN');
  });

  it.each(['scans', 'show', 'findings', 'findings --json', 'findings --objects', 'coverage', '--help'])(
    'on a full disk ends %s with one sentence and 1',
    async (words) => {
      const { code, stderr } = await shell(`"$@" ${words} > /dev/full`);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^seine: Could not write to standard output: the disk is full\.\n {2}Free .*\n$/,
      );
    },
  );
});

/** Run by a shell in which `"$@"` is the program; its code is that of the program, whatever it is piped into. */
async function shell(line: string): Promise<Ended> {
  const words = [
    '-o',
    'pipefail',
    '-c',
    line,
    'bash',
    process.execPath,
    '--disable-warning=ExperimentalWarning',
  ];
  const env = { ...process.env, SEINE_DATA: seine.data, SEINE_IDLE_STOP: '1' };
  return new Promise((resolve) => {
    execFile('bash', [...words, join(CHECKOUT, 'src/main.ts')], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('an output that cannot be written', () => {
  it.each([
    ['whose name does not show its format', ['-o', 'report.xyz'], 2, 'report.xyz'],
    ['of an unknown format', ['-o', 'report.html', '--format', 'pdf'], 2, 'pdf'],
    ['to standard output, without a format', ['-o', '-'], 2, 'standard output'],
    ['in a folder that does not exist', ['-o', file('none/a.jsonl')], 2, 'its folder does not exist'],
    ['whose name is a folder', ['-o', out, '--format', 'csv'], 2, 'it is a folder'],
    ['with a format but no name', ['--format', 'csv'], 2, '--output'],
  ] as const)('is refused before anything is scanned: one %s', async (_, options, code, word) => {
    const before = (await scansOf(seine)).length;
    const refused = await seine.run(['scan', tree, ...options]);
    expect(refused.code).toBe(code);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain(word);
    expect(await scansOf(seine)).toHaveLength(before);
  });

  it('that fails after the scan does not affect the report or the other outputs, and prints how to write it again', async () => {
    const failed = await seine.run(['scan', tree, '-o', '/dev/full', '--format', 'csv', '-o', file('h.csv')]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('Objects by risk');
    expect(text('h.csv')).toContain('SSN');
    const [scan] = await scansOf(seine);
    expect(scan).toMatchObject({ status: 'completed' });
    expect(failed.stderr).toContain('Could not write "/dev/full": the disk is full.');
    expect(failed.stderr).toContain(`seine show ${scan!.id} --output /dev/full --format csv\n`);
  });

  it('because its name is a folder reports so', async () => {
    mkdirSync(file('folder.csv'));
    const failed = await seine.run(['show', '-o', file('folder.csv')]);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('it is a folder');
  });

  it('on a full disk gives a sentence', async () => {
    const failed = await seine.run(['show', '-o', '/dev/full', '--format', 'csv']);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('the disk is full');
  });

  it('that is a symbolic link is refused, and its target is unchanged', async () => {
    writeFileSync(file('precious'), 'mine');
    symlinkSync('precious', file('link.csv'));
    const failed = await seine.run(['show', '-o', file('link.csv')]);
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain('it is a symbolic link');
    expect(readFileSync(file('precious'), 'utf8')).toBe('mine');
  });
});
