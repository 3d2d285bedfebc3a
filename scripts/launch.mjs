/** The launcher for systems without a POSIX shell, started by seine.cmd: does what `seine` does. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, findNode, ROOT } from './installation.mjs';

const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
];
const say = (line) => process.stderr.write(`Seine: ${line}\n`);

try {
  ensureInstalled({ say });
  // Ctrl-C reaches both processes; the other one saves its progress.
  process.on('SIGINT', () => {});
  const child = spawn(findNode(), [...FLAGS, join(ROOT, 'src/main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { SEINE_CALLED: 'seine', ...process.env },
  });
  child.on('error', (error) => fail(error)).on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}

function fail(error) {
  say(error.message);
  process.exit(1);
}
