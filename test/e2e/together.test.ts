/** However many threads or processes take part, the findings are the same. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageOf, digestOf, reportOf, scanned, scansOf } from '../support/results.ts';
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
      expect(report.objects.find(({ key }) => key === 'large.csv')?.counts.EMAIL).toBe(60_000);
      digests.push(await digestOf(seine, report.scan.id));
    }
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

  it('also on a data folder that nobody has used yet', async () => {
    const fresh = openSeine();
    const both = await Promise.all(
      [tree, join(tree, '000')].map((folder) => fresh.run(['scan', folder, '--json'])),
    );
    for (const ended of both) reportOf(ended);
    expect(await scansOf(fresh)).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    await fresh.close();
  });
});
