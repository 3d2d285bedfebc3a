/** Interrupted, killed, and gone on with: the result is that of a scan that nobody disturbed. */
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
import { openSeine, type Running } from '../support/seine.ts';
import { makeTree, put } from '../support/tree.ts';
import { type Watch, watchScans } from '../support/watching.ts';

const seine = openSeine();
const FILES = 12_000;
const tree = join(seine.folder, 'tree');
const rules = join(seine.folder, 'rules.yaml');
/** Holds that would outlive the test: whoever goes on must not wait for them to run out. */
const LONG_LEASES = { env: { SEINE_LEASE_SECONDS: '3600' } };

let undisturbed: string;
let watch: Watch;
beforeAll(async () => {
  makeTree(tree, FILES);
  expect((await seine.run(['resume'])).stderr).toContain('There is no interrupted scan.');
  undisturbed = await digestOf(seine, (await scanned(seine, [tree])).scan.id);
  watch = await watchScans(seine);
});
afterAll(async () => {
  await watch.close();
  await seine.close();
});

/** A scan that has come somewhere, but not to its end. */
async function underWay(...options: string[]): Promise<Running & { scan: string }> {
  const before = (await watch.newest()).id;
  const running = seine.start(['scan', tree, '--full', '--threads', '1', ...options], LONG_LEASES);
  const { id } = await watch.until((scan) => scan.id > before && scan.listed > 200);
  return { ...running, scan: String(id) };
}

async function interrupted(...options: string[]): Promise<string> {
  const running = await underWay(...options);
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(1);
  return running.scan;
}

async function expectUndisturbed(scan: string): Promise<void> {
  const { status, listed, ledgered, ledger } = await coverageOf(seine, scan);
  expect({ status, listed, ledgered }).toEqual({ status: 'completed', listed: FILES, ledgered: FILES });
  expect(ledger).toEqual([expect.objectContaining({ outcome: 'scanned', objects: FILES })]);
  expect(await digestOf(seine, scan)).toBe(undisturbed);
}

describe('Ctrl-C', () => {
  it('says how to go on and ends with 1, and going on completes the scan', async () => {
    const running = await underWay();
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`seine resume ${running.scan}`);
    expect((await scansOf(seine))[0]).toMatchObject({ id: Number(running.scan), status: 'interrupted' });
    const before = (await watch.newest()).listed;
    expect(before).toBeLessThan(FILES);

    const shown = await seine.run(['show', running.scan]);
    expect(shown.stdout).toMatch(/^INTERRUPTED: /);
    expect(shown.stdout).toContain(`seine resume ${running.scan}`);

    const resumed = reportOf(await seine.run(['resume', '--json']));
    expect(resumed.scan).toMatchObject({ id: running.scan, status: 'completed' });
    expect(outcomesOf(resumed)).toEqual({ scanned: FILES });
    await expectUndisturbed(running.scan);
  });

  it('twice leaves at once, and nothing is lost', async () => {
    const running = await underWay();
    running.kill('SIGINT');
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(1);
    expect((await seine.run(['resume', running.scan, '-q'])).code).toBe(0);
    await expectUndisturbed(running.scan);
  });

  it('SIGTERM does the same', async () => {
    const running = await underWay();
    running.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`seine resume ${running.scan}`);
    expect((await seine.run(['resume', running.scan, '-q'])).code).toBe(0);
  });
});

describe('kill -9', () => {
  it('loses nothing, and going on does not wait for the dead', async () => {
    const running = await underWay();
    running.kill('SIGKILL');
    expect((await running.ended).code).toBeNull();
    expect((await seine.run(['resume', '-q'])).code).toBe(0);
    await expectUndisturbed(running.scan);
  });
});

describe('what cannot be gone on with', () => {
  it('a scan that has ended', async () => {
    const ended = await scanned(seine, [join(tree, '000')]);
    const { code, stderr } = await seine.run(['resume', ended.scan.id]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Scan ${ended.scan.id} has ended`);
    expect((await seine.run(['resume'])).stderr).toContain('There is no interrupted scan.');
  });

  it('a scan that another process is working on, which is not disturbed', async () => {
    const running = await underWay();
    await watch.until((scan) => scan.held > 0);
    const { code, stderr } = await seine.run(['resume', running.scan]);
    expect(code).toBe(1);
    expect(stderr).toContain(`is being worked on by process ${running.pid}`);
    expect((await running.ended).code).toBe(0);
    await expectUndisturbed(running.scan);
  });
});

describe('rules that changed in between', () => {
  const EVERYTHING = 'name: watched\n';
  const WITHOUT_MAILS = 'name: watched\ndetectors:\n  exclude: [EMAIL]\n';
  const hold = (text: string) => put(seine.folder, 'rules.yaml', text);
  const mails = async (scan: string) =>
    (await findingsOf(seine, scan)).filter((line) => line.detector === 'EMAIL').length;
  const ALL_MAILS = Math.ceil(FILES / 7);

  it('are told and must be decided about; the old ones give the result that was begun', async () => {
    hold(EVERYTHING);
    const scan = await interrupted('--rules', rules);
    hold(WITHOUT_MAILS);
    const asked = await seine.run(['resume', scan]);
    expect({ code: asked.code, stdout: asked.stdout }).toEqual({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('detector EMAIL is off now');
    expect(asked.stderr).toContain('--rules-changed old');
    expect(asked.stderr).toContain('--rules-changed new');
    expect((await watch.newest()).status).toBe('interrupted');

    expect((await seine.run(['resume', scan, '-q', '--rules-changed', 'old'])).code).toBe(0);
    await expectUndisturbed(scan);
  });

  it('the new ones hold for the rest', async () => {
    hold(WITHOUT_MAILS);
    const scan = await interrupted('--rules', rules);
    expect(await mails(scan)).toBe(0);
    hold(EVERYTHING);
    expect((await seine.run(['resume', scan, '-q', '--rules-changed', 'new'])).code).toBe(0);
    expect(await coverageOf(seine, scan)).toMatchObject({
      status: 'completed',
      listed: FILES,
      ledgered: FILES,
    });
    expect(await mails(scan)).toBeGreaterThan(0);
    expect(await mails(scan)).toBeLessThan(ALL_MAILS);
  });

  it('are not forgotten: what was read under the old ones is read again by the next scan', async () => {
    const next = await scanned(seine, [tree, '--rules', rules]);
    expect(await mails(next.scan.id)).toBe(ALL_MAILS);
  });
});
