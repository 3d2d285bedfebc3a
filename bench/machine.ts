/** What it ran on. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

export interface Ripgrep {
  readonly path: string;
  readonly version: string;
}

export function describeMachine(ripgrep: Ripgrep | null): string[] {
  const [first] = cpus();
  return [
    `machine  ${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release()}`,
    `node     ${process.version}`,
    `ripgrep  ${ripgrep?.version ?? 'not installed; comparisons with it are skipped (Debian: apt-get install ripgrep)'}`,
    `load     ${loadavg()[0]!.toFixed(2)} before the first run${loadavg()[0]! > 0.5 ? ': the machine is busy, times are too long' : ''}`,
  ];
}

/** The one of the system; as root on Debian it is installed if need be. */
export function findRipgrep(): Ripgrep | null {
  return askRipgrep() ?? (installRipgrep() ? askRipgrep() : null);
}

function askRipgrep(): Ripgrep | null {
  const { stdout, status } = spawnSync('rg', ['--version'], { encoding: 'utf8' });
  return status === 0 ? { path: 'rg', version: stdout.split('\n')[0]! } : null;
}

function installRipgrep(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...words], { env, stdio: 'ignore' }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', 'ripgrep');
  return install() || (apt('update') && install());
}
