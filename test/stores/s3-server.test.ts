import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-for.ts';

/** Starts a process that sleeps, registers it with the watchdog, and returns its id. */
const script = `
  import { spawn } from 'node:child_process';
  import { startWatchdog } from ${JSON.stringify(import.meta.resolve('../support/watchdog.ts'))};
  const watchdog = startWatchdog(process.argv[1]);
  const sleeper = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  watchdog.watch(sleeper.pid);
  process.stdout.write(String(sleeper.pid));
  process.stdin.once('data', () => watchdog.stop().then(() => process.exit()));`;

describe('the servers that a test starts', () => {
  it.each(['is killed', 'stops them'])('end with it when it %s', async (how) => {
    const folder = mkdtempSync(join(tmpdir(), 'seine-watchdog-'));
    const test = spawn(process.execPath, ['--input-type=module', '-e', script, folder]);
    const sleeper = Number(await once(test.stdout, 'data'));
    expect(isAlive(sleeper)).toBe(true);
    if (how === 'is killed') test.kill('SIGKILL');
    else test.stdin.write('stop');
    await waitUntil(
      'the processes and their folder to be gone',
      () => !isAlive(sleeper) && !existsSync(folder),
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
