/** Interrupted or killed, and resumed: the result is that of an undisturbed scan. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  coverageOf,
  digestOf,
  findingsOf,
  outcomesOf,
  reportOf,
  scanned,
  scansOf,
} from '../support/results.ts';
import { type Ended, openSeine } from '../support/seine.ts';
import { makeTree, put } from '../support/tree.ts';
import { type CaughtScan, catchScan, type Watch, watchScans } from '../support/watch-scans.ts';
import { whileStopped } from '../support/while-stopped.ts';

const seine = openSeine();
const FILES = 12_000;
const tree = join(seine.folder, 'tree');
const rules = join(seine.folder, 'rules.yaml');
/** Leases that would outlive the test: a resume must not wait until they expire. */
const LONG_LEASES = { env: { SEINE_LEASE_SECONDS: '3600' } };

let undisturbed: string;
let watch: Watch;
beforeAll(async () => {
  makeTree(tree, FILES);
  expect((await seine.run(['resume'])).stderr).toContain('No unfinished scan.');
  undisturbed = await digestOf(seine, (await scanned(seine, [tree])).scan.id);
  watch = await watchScans(seine);
});
afterAll(async () => {
  await watch.close();
  await seine.close();
});

const underWay = (...options: string[]) =>
  catchScan(seine, watch, ['scan', tree, '--full', '--threads', '1', ...options], LONG_LEASES);

function strike(scan: CaughtScan, signal: NodeJS.Signals): Promise<Ended> {
  scan.kill(signal);
  scan.resume();
  return scan.ended;
}

async function interrupted(...options: string[]): Promise<number> {
  const scan = await underWay(...options);
  expect((await strike(scan, 'SIGINT')).code).toBe(1);
  return scan.id;
}

async function expectUndisturbed(scan: number): Promise<void> {
  const { status, listed, ledgered, ledger } = await coverageOf(seine, String(scan));
  expect({ status, listed, ledgered }).toEqual({ status: 'completed', listed: FILES, ledgered: FILES });
  expect(ledger).toEqual([expect.objectContaining({ outcome: 'scanned', objects: FILES })]);
  expect(await digestOf(seine, String(scan))).toBe(undisturbed);
}

describe('Ctrl-C', () => {
  it('prints how to resume and exits with 1, and resuming completes the scan', async () => {
    const scan = await underWay();
    const { code, stdout, stderr } = await strike(scan, 'SIGINT');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`seine resume ${scan.id}`);
    expect((await scansOf(seine))[0]).toMatchObject({ id: scan.id, status: 'interrupted' });
    const before = (await watch.newest()).listed;
    expect(before).toBeLessThan(FILES);

    const shown = await seine.run(['show', String(scan.id)]);
    expect(shown.stdout).toMatch(/^INTERRUPTED: /);
    expect(shown.stdout).toContain(`seine resume ${scan.id}`);

    const resumed = reportOf(await seine.run(['resume', '--json']));
    expect(resumed.scan).toMatchObject({ id: String(scan.id), status: 'completed' });
    expect(outcomesOf(resumed)).toEqual({ scanned: FILES });
    await expectUndisturbed(scan.id);
  });

  it('twice exits at once, and nothing is lost', async () => {
    const scan = await underWay();
    const ended = strike(scan, 'SIGINT');
    scan.kill('SIGINT');
    expect((await ended).code).toBe(1);
    expect((await seine.run(['resume', String(scan.id), '-q'])).code).toBe(0);
    await expectUndisturbed(scan.id);
  });

  it('SIGTERM does the same', async () => {
    const scan = await underWay();
    const { code, stderr } = await strike(scan, 'SIGTERM');
    expect(code).toBe(1);
    expect(stderr).toContain(`seine resume ${scan.id}`);
    expect((await seine.run(['resume', String(scan.id), '-q'])).code).toBe(0);
  });
});

describe('kill -9', () => {
  it('loses nothing, and going on does not wait for the dead', async () => {
    const scan = await underWay();
    expect((await strike(scan, 'SIGKILL')).code).toBeNull();
    expect((await seine.run(['resume', '-q'])).code).toBe(0);
    await expectUndisturbed(scan.id);
  });
});

describe('a scan that cannot be resumed', () => {
  it('a scan that has ended', async () => {
    const ended = await scanned(seine, [join(tree, '000')]);
    const { code, stderr } = await seine.run(['resume', ended.scan.id]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Scan ${ended.scan.id} has ended`);
    expect((await seine.run(['resume'])).stderr).toContain('No unfinished scan.');
  });

  it('a scan that another process is working on, which is not disturbed', async () => {
    const scan = await underWay();
    const { code, stderr } = await whileStopped(watch.db, [scan], () =>
      seine.run(['resume', String(scan.id)]),
    );
    expect(code).toBe(1);
    expect(stderr).toContain(`is being processed by pid ${scan.pid}`);
    expect((await scan.ended).code).toBe(0);
    await expectUndisturbed(scan.id);
  });
});

describe('rules that changed in between', () => {
  const EVERYTHING = 'name: watched\n';
  const WITHOUT_MAILS = 'name: watched\ndetectors:\n  exclude: [EMAIL]\n';
  const hold = (text: string) => put(seine.folder, 'rules.yaml', text);
  const mails = async (scan: number) =>
    (await findingsOf(seine, String(scan))).filter((line) => line.detector === 'EMAIL').length;
  const ALL_MAILS = Math.ceil(FILES / 7);

  it('are reported and need a decision; the old ones give the same result', async () => {
    hold(EVERYTHING);
    const scan = await interrupted('--rules', rules);
    hold(WITHOUT_MAILS);
    const asked = await seine.run(['resume', String(scan)]);
    expect({ code: asked.code, stdout: asked.stdout }).toEqual({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('detector EMAIL is off now');
    expect(asked.stderr).toContain('--rules-changed old');
    expect(asked.stderr).toContain('--rules-changed new');
    expect((await watch.newest()).status).toBe('interrupted');

    expect((await seine.run(['resume', String(scan), '-q', '--rules-changed', 'old'])).code).toBe(0);
    await expectUndisturbed(scan);
  });

  it('the new ones apply to the rest', async () => {
    hold(WITHOUT_MAILS);
    const scan = await interrupted('--rules', rules);
    expect(await mails(scan)).toBe(0);
    hold(EVERYTHING);
    expect((await seine.run(['resume', String(scan), '-q', '--rules-changed', 'new'])).code).toBe(0);
    expect(await coverageOf(seine, String(scan))).toMatchObject({
      status: 'completed',
      listed: FILES,
      ledgered: FILES,
    });
    expect(await mails(scan)).toBeGreaterThan(0);
    expect(await mails(scan)).toBeLessThan(ALL_MAILS);
  });

  it('are not forgotten: what was read under the old ones is read again by the next scan', async () => {
    const next = await scanned(seine, [tree, '--rules', rules]);
    expect(await mails(Number(next.scan.id))).toBe(ALL_MAILS);
  });
});
