/** Watching a scan from another process: piped, in a terminal, and as a check that something else runs. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../support/missing.ts';
import { parseLines } from '../support/results.ts';
import { CHECKOUT, openSeine, type Running } from '../support/seine.ts';
import { makeTree } from '../support/tree.ts';
import { PROCESS_TIMEOUT_MS, repeatWhile, waitUntil } from '../support/wait-for.ts';
import { catchScan, type Watch, watchScans } from '../support/watch-scans.ts';

const seine = openSeine();
const tree = join(seine.folder, 'tree');
let watch: Watch;
beforeAll(async () => {
  makeTree(tree, 6000);
  watch = await watchScans(seine);
});
afterAll(async () => {
  await watch.close();
  await seine.close();
});

const stoppedScan = (env: Record<string, string> = {}) =>
  catchScan(seine, watch, ['scan', tree, '--full', '--quiet'], { env });

/** Waits until `--live --export` has written its first snapshot. */
async function exported(path: string, monitor?: Running): Promise<{ scan: { status: string } }> {
  const ended = monitor?.ended.then(({ stderr }) => stderr);
  while (!existsSync(path)) {
    const said = await Promise.race([ended, sleep(20)]);
    if (typeof said === 'string') throw new Error(`The monitor ended: ${said}`);
  }
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('without a terminal', () => {
  it('shows the progress of the scan, and ends with it', async () => {
    const scan = await stoppedScan();
    const file = join(seine.folder, 'metrics.json');
    const monitor = seine.start(['monitor', '--live', '--export', file]);
    expect((await exported(file, monitor)).scan.status).toBe('running');
    scan.resume();
    const { code, stdout, stderr } = await monitor.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      new RegExp(`^seine: scan ${scan.id} running, [\\d,]+ objects, .* held.*, 1 worker$`),
    );
    expect(lines.at(-1)).toMatch(new RegExp(`^seine: scan ${scan.id} completed, 6,000 objects, .* done`));
    expect(stdout).not.toContain('\x1b');
    expect(await exported(file)).toMatchObject({
      scan: { status: 'completed' },
      done: { objects: 6000 },
      alerts: [],
    });
    await scan.ended;
  });

  it('shows one page, its shards and their holders while it runs', async () => {
    const scan = await stoppedScan();
    const page = await seine.run(['monitor', '--details']);
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(page.stdout).toMatch(new RegExp(`^scan ${scan.id}  fs:.* running · `));
    expect(page.stdout).toMatch(/^1 worker · 1 working/m);
    expect(page.stdout).toMatch(/^SHARD {2}STATE/m);
    expect(page.stdout).toMatch(/^ID +WORKER/m);

    const shards = parseLines<{ state: string; pid: number }>(
      (await seine.run(['shards', String(scan.id), '--state', 'held', '--json'])).stdout,
    );
    expect(shards.length).toBeGreaterThan(0);
    expect(new Set(shards.map(({ pid }) => pid))).toEqual(new Set([scan.pid]));
    const workers = parseLines<object>((await seine.run(['workers', '--json'])).stdout);
    expect(workers).toMatchObject([{ pid: scan.pid, scans: [scan.id], stale: false, draining: false }]);

    const snapshot = JSON.parse((await seine.run(['monitor', String(scan.id), '--json'])).stdout);
    const { waiting, held, done } = snapshot.shards;
    expect(waiting + held + done).toBe(
      (await seine.run(['shards', '--json'])).stdout.trimEnd().split('\n').length,
    );
    scan.resume();
    expect((await scan.ended).code).toBe(0);
  });

  it('streams JSON lines with the option, and stops when its reader does', async () => {
    const scan = await stoppedScan();
    const words = [join(CHECKOUT, 'src/main.ts'), 'monitor', '--live', '--json'];
    const shell = `"${process.execPath}" --disable-warning=ExperimentalWarning ${words.join(' ')} | head -n 2`;
    const piped = spawnSync('sh', ['-c', shell], { env: environment(), encoding: 'utf8', timeout: 60_000 });
    const sights = parseLines<{ scan: { status: string }; alerts: object[] }>(piped.stdout);
    expect(sights.map((sight) => sight.scan.status)).toEqual(['running', 'running']);
    scan.resume();
    await scan.ended;
  });

  it('shows no scan before the first one, nor one that is not there', async () => {
    const fresh = openSeine();
    const none = await fresh.run(['monitor']);
    const shards = await fresh.run(['shards']);
    await fresh.close();
    expect(none).toMatchObject({ code: 0, stderr: '' });
    expect(none.stdout).toMatch(/^No scans yet\./);
    expect(shards).toMatchObject({ code: 1, stdout: '' });
    expect(shards.stderr).toContain('No scans yet.');
    expect((await seine.run(['monitor', '999'])).stderr).toContain('No scan 999.');
    expect((await seine.run(['shards', '999'])).stderr).toContain('No scan 999.');
    expect((await seine.run(['monitor', '--live', '--alerts'])).code).toBe(2);
  });
});

const IMPATIENT = { SEINE_HEARTBEAT_SECONDS: '1', SEINE_STALE_SECONDS: '2' };

describe('alerts', () => {
  it('are none of a scan that has ended', async () => {
    const ended = await seine.run(['monitor', '--alerts']);
    expect(ended).toEqual({ code: 0, stdout: 'no alerts\n', stderr: '' });
  });

  it('report with exit code 3 that no worker processes a scan any more', async () => {
    const scan = await stoppedScan({ SEINE_LEASE_SECONDS: '1' });
    scan.kill('SIGKILL');
    await scan.ended;
    const ask = (...more: string[]) =>
      seine.run(['monitor', String(scan.id), '--alerts', ...more], { env: IMPATIENT });
    let status = await ask();
    // Until the worker counts as gone.
    const ends = async () => {
      status = await ask();
      return status.code === 0;
    };
    await repeatWhile('a status without an alert', ends, { forMs: PROCESS_TIMEOUT_MS });
    expect(status).toMatchObject({ code: 3, stderr: '' });
    expect(status.stdout).toContain(`critical: No workers running for scan ${scan.id}.`);
    const [alert] = JSON.parse((await ask('--json')).stdout);
    expect(alert).toMatchObject({ id: 'no-worker', severity: 'critical' });
    expect(await ask('--quiet')).toEqual({ code: 3, stdout: '', stderr: '' });
    expect((await seine.run(['resume', String(scan.id), '--quiet'])).code).toBe(0);
  });
});

const noScript = spawnSync('script', ['--version']).status === 0 ? null : 'The program is not there.';
const missing = reportMissing('script', noScript);
const ENTER = '\x1b[?1049h';
const LEAVE = '\x1b[?1049l';

describe.skipIf(missing)('in a terminal', () => {
  it('fills the screen, restores it at the end, and prints the last state', async () => {
    const scan = await stoppedScan();
    const monitor = inTerminal(['monitor', '--live'], { rows: 20, cols: 70 });
    await monitor.shows('held');
    scan.resume();
    const { code, shown } = await monitor.ended;
    expect(code).toBe(0);
    expect(shown.split(ENTER)).toHaveLength(2);
    const [during, after] = shown.split(LEAVE);
    expect(during).toContain('\x1b[20;1H');
    expect(during).not.toContain('\x1b[21;1H');
    expect(during).toContain('q quits; the scan continues');
    expect(after).toMatch(/completed/);
    expect(after).not.toContain('q quits');
    await scan.ended;
  });

  it.each([
    ['q', (monitor: InTerminal) => monitor.type('q')],
    ['Ctrl-C', (monitor: InTerminal) => monitor.type('\x03')],
    ['SIGTERM', (monitor: InTerminal) => monitor.terminate()],
  ])('is left with %s, and the scan goes on', async (_, leave) => {
    const scan = await stoppedScan();
    const monitor = inTerminal(['monitor', '--live']);
    await monitor.shows('held');
    leave(monitor);
    const { code, shown } = await monitor.ended;
    expect(code).toBe(1);
    expect(shown).toContain(LEAVE);
    expect(shown.split(LEAVE)[1]).toContain('running');
    scan.resume();
    expect((await scan.ended).code).toBe(0);
  });

  it('needs neither colours nor more than ASCII', async () => {
    const monitor = inTerminal(['monitor', '--live'], { env: { NO_COLOR: '1', LANG: 'C' } });
    const { code, shown } = await monitor.ended;
    expect(code).toBe(0);
    const text = stripVTControlCharacters(shown);
    expect(shown).not.toContain('m\x1b[39m');
    expect(shown).not.toContain('\x1b[1m');
    expect(text).toMatch(/^[\r\n -~]*$/);
    expect(shown).toContain('# done');
  });
});

interface InTerminal {
  readonly ended: Promise<{ code: number | null; shown: string }>;
  type(keys: string): void;
  /** Asks the program itself to end. */
  terminate(): void;
  shows(text: string): Promise<void>;
}

function environment(): Record<string, string> {
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
  return { PATH, HOME, SEINE_DATA: seine.data, SEINE_IDLE_STOP: '1', LANG: 'C.UTF-8', TERM: 'xterm' };
}

function inTerminal(
  args: readonly string[],
  { rows = 24, cols = 80, env = {} }: { rows?: number; cols?: number; env?: Record<string, string> } = {},
): InTerminal {
  const node = `"${process.execPath}" --disable-warning=ExperimentalWarning`;
  const command = `stty rows ${rows} cols ${cols}; echo PID $$; exec ${node} "${CHECKOUT}/src/main.ts" ${args.join(' ')}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...environment(), ...env },
    timeout: 100_000,
    killSignal: 'SIGKILL',
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
  });
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, shown }))),
    type: (keys) => void child.stdin.write(keys),
    terminate: () => process.kill(Number(/PID (\d+)/.exec(shown)![1]), 'SIGTERM'),
    async shows(text) {
      const state = () => `${text} on the screen:\n${shown}`;
      const isThere = () => shown.includes(text) || child.exitCode !== null;
      await waitUntil(state, isThere, { forMs: PROCESS_TIMEOUT_MS });
    },
  };
}
