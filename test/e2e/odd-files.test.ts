/** Files with unusual names, types and contents. Each is read, or in the ledger with a reason. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  coverageOf,
  type FindingLine,
  findingsOf,
  outcomesOf,
  parseLines,
  scanned,
} from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree, put } from '../support/tree.ts';

const seine = openSeine();
afterAll(async () => {
  await seine.serverStopped();
  execFileSync('rm', ['-rf', join(seine.folder, 'deep')]); // deeper than a path may be long
  await seine.close();
});

const SECRET = 'ssn 219-18-4417\n';
const folderNamed = (name: string) => {
  const folder = join(seine.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

describe('names', () => {
  const odd = {
    newline: Buffer.from('two\nlines.txt'),
    'invalid UTF-8': Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74, 0x78, 0x74]),
    'leading dash': Buffer.from('--full'),
    'terminal control': Buffer.from('\x1b[2Jcleared.txt'),
    backslash: Buffer.from('a\\nb.txt'),
    'a tab and quotes': Buffer.from('tab\t"quoted\'.txt'),
    'right to left': Buffer.from('\u202egpj.txt'),
    'of 255 bytes': Buffer.from('n'.repeat(255)),
    'of spaces': Buffer.from('   '),
    'like a formula': Buffer.from('=HYPERLINK("http:")'),
  };
  const folder = folderNamed('names');
  for (const name of Object.values(odd))
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), SECRET);

  it('are all scanned, distinguished, and reported byte by byte', async () => {
    const report = await scanned(seine, [folder]);
    expect(outcomesOf(report)).toEqual({ scanned: Object.keys(odd).length });
    const found = await findingsOf(seine, report.scan.id);
    const names = found.map(({ key, keyHex }) =>
      keyHex === undefined ? Buffer.from(key) : Buffer.from(keyHex, 'hex'),
    );
    const asHex = (all: Buffer[]) => all.map((name) => name.toString('hex')).sort();
    expect(asHex(names)).toEqual(asHex(Object.values(odd)));
    expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
  });

  it('never reach the terminal raw', async () => {
    for (const words of [['show'], ['findings'], ['findings', '--objects'], ['scan', folder]]) {
      const { stdout, stderr } = await seine.run(words);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the test searches for
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
      expect(stdout).toContain('two\\nlines.txt');
    }
  });

  it('a folder whose name starts with a dash can be the target', async () => {
    put(join(seine.folder, '-dash'), 'a.txt', SECRET);
    for (const words of [['./-dash'], ['--', '-dash']]) {
      const { code, stdout } = await seine.run(['scan', '--json', ...words], { cwd: seine.folder });
      expect(code).toBe(0);
      expect(JSON.parse(stdout).findings).toBe(1);
    }
  });
});

describe('what is no ordinary file', () => {
  const isRoot = process.getuid?.() === 0;
  const folder = folderNamed('special');
  put(folder, 'real.txt', SECRET);
  put(folder, 'empty.txt', '');
  symlinkSync('b', join(folder, 'a'));
  symlinkSync('a', join(folder, 'b'));
  symlinkSync('..', join(folder, 'up'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('real.txt', join(folder, 'link.txt'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  if (isRoot) execFileSync('mknod', [join(folder, 'zero'), 'c', '1', '5']);

  it('is skipped with its reason: links, loops, pipes, sockets and devices; nothing hangs', async () => {
    const server = createServer().listen(join(folder, 'socket'));
    await new Promise((resolve) => server.on('listening', resolve));
    const report = await scanned(seine, [folder]);
    server.close();
    expect(outcomesOf(report)).toEqual({ scanned: 2, skipped: isRoot ? 8 : 7 });
    expect(report.findings).toBe(1);
    const reasons = Object.fromEntries(
      report.coverage.reasons.map(({ reason, objects }) => [reason, objects]),
    );
    expect(reasons).toEqual({ 'symbolic link': 5, 'not a regular file': isRoot ? 3 : 2 });
  });

  it('is reported in one sentence when it is the target', async () => {
    for (const [name, sentence] of [
      ['pipe', 'is neither a file nor a folder'],
      ['a', 'No such file or folder'],
    ] as const) {
      const { code, stderr } = await seine.run(['scan', join(folder, name)]);
      expect([1, 2]).toContain(code);
      expect(stderr).toContain(sentence);
    }
  });

  it('a link as the target is followed', async () => {
    symlinkSync('names', join(seine.folder, 'to-names'));
    expect(outcomesOf(await scanned(seine, [join(seine.folder, 'to-names')]))).not.toEqual({});
  });
});

describe('shapes', () => {
  it('an empty folder is reported as a scan of nothing', async () => {
    const { code, stdout } = await seine.run(['scan', folderNamed('empty')]);
    expect(code).toBe(0);
    expect(stdout).toContain('no objects in the source');
  });

  it('a tree 500 deep, longer than a path may be, is scanned to its leaf', async () => {
    const folder = folderNamed('deep');
    const name = 'a-folder-in-a-folder';
    const script = `cd "$1"; for i in $(seq 500); do mkdir ${name}; cd ${name} 2>/dev/null; done; printf '${SECRET.trim()}' > leaf.txt`;
    execFileSync('bash', ['-c', script, 'bash', folder]);
    const report = await scanned(seine, [folder]);
    expect(outcomesOf(report)).toEqual({ scanned: 1 });
    const [leaf] = await findingsOf(seine, report.scan.id);
    expect(leaf?.key).toBe(`${`${name}/`.repeat(500)}leaf.txt`);
    expect(outcomesOf(await scanned(seine, [folder]))).toEqual({ unchanged: 1 });
  });
});

describe('files that change while they are scanned', () => {
  it('grow, vanish and appear: the scan ends, and the ledger equals the listing', async () => {
    const folder = folderNamed('busy');
    makeTree(folder, 3000);
    const growing = put(folder, 'growing.log', SECRET.repeat(100_000));
    put(folder, 'zz/steady.txt', SECRET);
    let n = 0;
    const busy = setInterval(() => {
      appendFileSync(growing, SECRET.repeat(100));
      rmSync(join(folder, `002/00${1000 + (n % 500)}.txt`), { force: true });
      put(folder, `005/new-${n}.txt`, SECRET);
      rmSync(join(folder, `005/new-${n - 20}.txt`), { force: true });
      n++;
    }, 2);
    const { code, stdout, stderr } = await seine.run(['scan', folder, '--json']);
    clearInterval(busy);
    expect(code, stderr + stdout).toBe(1); // what changed was not read
    const { id } = JSON.parse(stdout).scan;
    const { status, listed, ledgered } = await coverageOf(seine, id);
    expect({ status, ledgered }).toEqual({ status: 'incomplete', ledgered: listed });
    const gaps = parseLines<FindingLine & { reason: string }>(
      (await seine.run(['coverage', id, '--list', '--json'])).stdout,
    );
    for (const gap of gaps)
      expect(gap.reason).toMatch(/^(changed while it was read|deleted before it was read)$/);
    expect(gaps.map(({ key }) => key)).toContain('growing.log');

    const calm = await scanned(seine, [folder]);
    expect(Object.keys(outcomesOf(calm)).sort()).toEqual(['scanned', 'unchanged']);
    const grown = (await findingsOf(seine, calm.scan.id, ['--where', 'path = "growing.log"'])).length;
    expect(grown).toBe(1000); // as many as are kept; all of them are counted
    expect(calm.objects.find(({ key }) => key === 'growing.log')?.counts.SSN).toBe(100_000 + n * 100);
  });
});
