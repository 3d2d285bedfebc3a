/** Hyperscan is a library: a small program of our own uses it. As root on Debian the library is installed if need be. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../benchmark.ts';

/** The program; null, with a line that says why, where it cannot be made. */
export function buildHyperscan(bench: Bench): string | null {
  const missing = whatIsMissing();
  if (missing !== null) {
    bench.log(`  Hyperscan is skipped: ${missing}`);
    return null;
  }
  const program = join(bench.folder, 'hyperscan');
  const source = join(import.meta.dirname, 'hyperscan.c');
  const words = ['-O2', '-o', program, source, '-lhs'];
  const { status, stderr } = spawnSync('cc', words, { encoding: 'utf8' });
  if (status !== 0) {
    bench.log(`  Hyperscan is skipped: cc says ${stderr?.trim() ?? 'nothing'}`);
    return null;
  }
  bench.log(`  Hyperscan ${versionOf()} of the system's package; $ cc -O2 hyperscan.c -lhs`);
  return program;
}

function whatIsMissing(): string | null {
  if (!/\bssse3\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))) return 'this processor has no SSSE3';
  if (spawnSync('cc', ['--version']).status !== 0) return 'there is no C compiler called cc';
  if (existsSync(HEADER) || install()) return null;
  return 'its library is not there (Debian: apt-get install libhyperscan-dev)';
}

const HEADER = '/usr/include/hs/hs.h';

function install(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...words], { env, stdio: 'ignore' }).status === 0;
  const get = () => apt('install', '-y', '--no-install-recommends', 'libhyperscan-dev');
  return (get() || (apt('update') && get())) && existsSync(HEADER);
}

function versionOf(): string {
  const text = readFileSync(HEADER, 'utf8');
  const part = (name: string) => new RegExp(`define HS_${name}\\s+(\\d+)`).exec(text)?.[1] ?? '?';
  return `${part('MAJOR')}.${part('MINOR')}.${part('PATCH')}`;
}
