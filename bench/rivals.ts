/** The packages that others are measured with. They have a folder of their own: nothing but the benchmarks needs them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'rivals');

/** Installed on first use, as locked. */
export function installRivals(say: (line: string) => void): void {
  if (existsSync(join(folder, 'node_modules'))) return;
  say('installs what it is compared with, into bench/rivals …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  if (status !== 0) say('… which failed: their rows will be missing');
}

/** Null: it is not installed. */
export function rival<T>(name: string): T | null {
  try {
    return createRequire(join(folder, 'package.json'))(name);
  } catch {
    return null;
  }
}
