/** Debian packages that a test needs: installed when they are missing and this may be done. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APT = '/usr/bin/apt-get';
const quiet = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

/** Null when they are there, else a sentence that says why they can't be had. */
export async function ensurePackages(names: readonly string[]): Promise<string | null> {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return null;
  const list = missing.join(' ');
  if (!existsSync(APT)) return `${list} cannot be installed: this is no Debian.`;
  if (process.getuid?.() !== 0)
    return `${list} cannot be installed: only root may (apt-get install ${list}).`;
  process.stderr.write(`Installing ${list} …\n`);
  const install = ['install', ...quiet, ...missing];
  // Lists of packages that were never fetched, or that are old, are no reason to give up.
  if ((await apt(install)) || ((await apt(['update', '-qq'])) && (await apt(install)))) return null;
  return `${list} could not be installed: apt-get failed.`;
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg', ['-s', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout ?? '');
}

/** One at a time on this machine, across processes. */
function apt(args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lock = join(tmpdir(), 'seine-apt.lock');
  const child = spawn('flock', [lock, APT, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0));
  });
}
