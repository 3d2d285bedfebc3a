/** The hooks of a scan in one process: after an interruption, and after failures. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree } from '../support/tree.ts';
import { PROCESS_TIMEOUT_MS, waitUntil } from '../support/wait-for.ts';
import { catchScan, type Watch, watchScans } from '../support/watch-scans.ts';
import { whileStopped } from '../support/while-stopped.ts';

const seine = openSeine();
const tree = join(seine.folder, 'tree');
const env = { SEINE_WEBHOOK_ALLOW_PRIVATE: 'true' };

let receiver: Receiver;
let watch: Watch;
beforeAll(async () => {
  makeTree(tree, 12_000);
  expect((await seine.run(['scans'])).code).toBe(0);
  [receiver, watch] = [await startReceiver(), await watchScans(seine)];
});
afterAll(async () => {
  await watch.close();
  await receiver.close();
  await seine.close();
});

describe('a scan with a hook', () => {
  it('that is paused waits for no hook; the hook runs when it was resumed and has ended', async () => {
    const words = ['scan', tree, '--webhook', receiver.url, '--full', '--threads', '1'];
    const scan = await catchScan(seine, watch, words, { env, timeoutMs: 60_000 });
    expect((await whileStopped(watch.db, [scan], () => seine.run(['pause', String(scan.id)]))).code).toBe(0);
    expect(await scan.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is paused') });
    expect(receiver.deliveries).toEqual([]);
    expect((await seine.run(['resume', '-q'], { env })).code).toBe(0);
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('a failing hook', () => {
  const small = join(seine.folder, 'small');
  const words = ['scan', small, '--webhook', '', '--json'];
  beforeAll(() => makeTree(small, 5));
  beforeEach(() => {
    receiver.deliveries.length = 0;
    words[3] = receiver.url;
  });

  it('is waited for until it has run, and the wait is reported', async () => {
    receiver.statuses = [500, 204];
    const { code, stderr } = await seine.run(words, { env });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('try 2 of 8') });
    expect(receiver.deliveries).toHaveLength(2);
  });

  it('that fails permanently is reported, with exit code 1, and can be retried; the retry is waited for as well', async () => {
    receiver.statuses = [410];
    const { code, stdout, stderr } = await seine.run(words, { env });
    expect(code).toBe(1);
    const { scan } = JSON.parse(stdout);
    expect(scan).toMatchObject({ status: 'completed' });
    expect(stderr).toContain(`seine deadletter retry --scan ${scan.id} --yes`);
    receiver.statuses = [204];
    const retried = await seine.run(['deadletter', 'retry', '--scan', scan.id, '--yes'], { env });
    expect(retried.code).toBe(0);
    expect(retried.stderr).not.toContain('resume');
    expect(receiver.deliveries).toHaveLength(2);
  });

  it('is skipped after Ctrl-C, and run by a worker that exits when nothing is left', async () => {
    receiver.statuses = [500];
    const running = seine.start(words, { env });
    // Interrupted before, it would not have tried at all.
    const hasTried = () => running.said().includes('try 2 of');
    await waitUntil('the second delivery to be announced', hasTried, { forMs: PROCESS_TIMEOUT_MS });
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('--until-idle') });
    const tries = receiver.deliveries.length;
    receiver.statuses = [204];
    expect((await seine.run(['worker', '--until-idle'], { env })).code).toBe(0);
    expect(receiver.deliveries).toHaveLength(tries + 1);
  });
});

describe('an export that waits for a container that does not exist', () => {
  const small = join(seine.folder, 'for-export');
  const out = join(seine.folder, 'exports');
  beforeAll(() => makeTree(small, 3));

  /** As its container left it: another one has another place, and the queue has forgotten its job. */
  async function orphaned(): Promise<string> {
    const { stdout } = await seine.run(['scan', small, '--export', `${out}:jsonl`, '--json']);
    const { scan } = JSON.parse(stdout);
    rmSync(out, { recursive: true });
    await watch.db.query(
      `update scan_hook set state = 'waiting', attempts = 0, settings = settings || '{"place": "box-1/mnt:[1]"}',
                       sent_at = now() - interval '3 hours'
       where scan_id = $1`,
      [scan.id],
    );
    return scan.id;
  }

  it('is shown by show, scans, doctor, monitor and resume, and another process takes it over on request', async () => {
    const id = await orphaned();
    const takeOver = `hooks run ${id} --on-this-host`;
    for (const words of [
      ['show', id],
      ['scans'],
      ['doctor'],
      ['monitor', id],
      ['resume', id],
      ['hooks', 'list'],
    ]) {
      const { stdout, stderr } = await seine.run(words);
      expect({ words, said: stdout.replace(/\s+/g, ' ') + stderr }).toMatchObject({
        said: expect.stringContaining(takeOver),
      });
    }
    expect((await seine.run(['monitor', id, '--alerts'])).code).toBe(3);
    expect((await seine.run(['hooks', 'run', id])).code).toBe(1);
    expect(existsSync(out)).toBe(false);
    const { code, stderr } = await seine.run(['hooks', 'run', id, '--on-this-host']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readdirSync(join(out, `scan-${id}`, 'round-0'))).toContain('manifest.json');
    const { stdout } = await seine.run(['hooks', 'list', id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'done' });
  });
});
