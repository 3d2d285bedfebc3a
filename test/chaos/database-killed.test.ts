/** The private server is killed during a scan: it is restarted, and the scan continues. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../src/base/errors.ts';
import { processesWith, serverProcesses } from '../support/processes.ts';
import { coverageOf, digestOf, scanned } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree } from '../support/tree.ts';
import { watchScans } from '../support/watch-scans.ts';

const seine = openSeine();
afterAll(() => seine.close());

const FILES = 12_000;
const tree = join(seine.folder, 'tree');
let undisturbed: string;
beforeAll(async () => {
  makeTree(tree, FILES);
  undisturbed = await digestOf(seine, (await scanned(seine, [tree])).scan.id);
});

/** Starts a scan, strikes once it has come somewhere, and expects it to end as if nothing had happened. */
async function survives(strike: () => void): Promise<void> {
  const watch = await watchScans(seine);
  const before = (await watch.newest()).id;
  const running = seine.start(['scan', tree, '--full', '--threads', '1', '-q']);
  const { id } = await watch.until((scan) => scan.id > before && scan.listed > 100);
  await watch.close();
  strike();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { status, listed, ledgered } = await coverageOf(seine, String(id));
  expect({ status, listed, ledgered }).toEqual({ status: 'completed', listed: FILES, ledgered: FILES });
  expect(await digestOf(seine, String(id))).toBe(undisturbed);
}

function killAll(pids: readonly number[]): void {
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error; // else it went by itself, after its parent
    }
  }
}

it('kill -9 of the server and all its processes in mid-scan: the scan ends with the same findings', async () => {
  await survives(() => killAll(serverProcesses(seine.data)));
});

it('kill -9 of the server and of its keeper in mid-scan: the same', async () => {
  await survives(() => {
    const server = serverProcesses(seine.data);
    const keeper = processesWith(seine.data).filter((pid) => !server.includes(pid));
    killAll([...keeper, ...server]);
  });
});
