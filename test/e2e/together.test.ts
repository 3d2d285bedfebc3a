/** However many threads or processes take part, the findings are the same. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageOf, digestOf, reportOf, scanned } from '../support/results.ts';
import { CHECKOUT, openSeine } from '../support/seine.ts';
import { makeTree, put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
let files: number;
beforeAll(() => {
  makeTree(tree, 1500);
  cpSync(join(CHECKOUT, 'examples/data'), join(tree, 'share'), { recursive: true });
  // Larger than what is read at once, with more findings than are kept.
  const mails = Array.from({ length: 60_000 }, (_, n) => `person${n}@example.org`);
  put(tree, 'large.csv', `mail\n${mails.join('\n')}\n`);
  files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
});

describe('detection threads', () => {
  it('1, 2 and 8 of them find the same', async () => {
    const digests: string[] = [];
    for (const threads of ['1', '2', '8']) {
      const report = await scanned(seine, [tree, '--full', '--threads', threads]);
      expect(report.coverage.objects).toBe(files);
      digests.push(await digestOf(seine, report.scan.id));
    }
    const { stdout } = await seine.run(['findings', '--objects', '--json', '--where', 'path = "large.csv"']);
    expect(JSON.parse(stdout).counts).toEqual({ EMAIL: 60_000 });
    expect(new Set(digests).size).toBe(1);
  });

  it('can be set by the environment', async () => {
    const { code, stdout } = await seine.run(['doctor'], { env: { SEINE_THREADS: '5' } });
    expect(code).toBe(0);
    expect(stdout).toContain('5 detection threads');
  });
});

describe('two scans of one folder at once', () => {
  it('both complete with the same findings', async () => {
    const both = await Promise.all([
      seine.run(['scan', tree, '--full', '--json']),
      seine.run(['scan', tree, '--full', '--json']),
    ]);
    const [one, other] = both.map(reportOf);
    expect(one!.scan.id).not.toBe(other!.scan.id);
    for (const { scan } of [one!, other!]) {
      const { status, listed, ledgered } = await coverageOf(seine, scan.id);
      expect({ status, listed, ledgered }).toEqual({
        status: 'completed',
        listed: files,
        ledgered: files,
      });
    }
    expect(await digestOf(seine, one!.scan.id)).toBe(await digestOf(seine, other!.scan.id));
  });

  it('four of them are the first in a data folder', async () => {
    const fresh = openSeine();
    await fresh.run(['scans']); // so that they need not wait for the server, and meet
    const words = ['scan', join(tree, 'share'), '--json', '-q'];
    const all = await Promise.all([1, 2, 3, 4].map(() => fresh.run(words, { timeoutMs: 90_000 })));
    await fresh.close();
    for (const ended of all) expect(reportOf(ended).scan.status).toBe('completed');
  });
});
