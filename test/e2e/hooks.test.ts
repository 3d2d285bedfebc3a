/** What follows a scan in one process: its hooks, whoever stops it and however they fare. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree } from '../support/tree.ts';
import { type Watch, watchScans } from '../support/watching.ts';

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
  it('that is paused waits for no hook; the hook runs when it has gone on to the end', async () => {
    const words = ['scan', tree, '--webhook', receiver.url, '--full', '--threads', '1'];
    const running = seine.start(words, { env, patienceMs: 60_000 });
    const { id } = await watch.until((scan) => scan.listed > 200);
    expect((await seine.run(['pause', String(id)])).code).toBe(0);
    expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is paused') });
    expect(receiver.deliveries).toEqual([]);
    expect((await seine.run(['resume', '-q'], { env })).code).toBe(0);
    expect(receiver.deliveries).toHaveLength(1);
  });
});
