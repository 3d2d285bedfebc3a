/** Mounts for tests, where permitted: as root, outside of a container that forbids it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tempTree } from './temp-tree.ts';

export function mountTmpfs(at: string): void {
  mkdirSync(at, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', at], { stdio: 'ignore' });
}

export function mountBind(from: string, at: string): void {
  execFileSync('mount', ['--bind', from, at], { stdio: 'ignore' });
}

/** Read-only; a writable overlay has the same identities. The second lower folder gives it a device number of its own. */
export function mountOverlay(lower: string, other: string, at: string): void {
  for (const folder of [other, at]) mkdirSync(folder, { recursive: true });
  const options = `lowerdir=${lower}:${other}`;
  execFileSync('mount', ['-t', 'overlay', '-o', options, 'overlay', at], { stdio: 'ignore' });
}

export function unmount(at: string): void {
  execFileSync('umount', ['-l', at], { stdio: 'ignore' });
}

export function canMount(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  using tree = tempTree({ 'lower/x': '' });
  const places: string[] = [];
  try {
    mountTmpfs(`${tree.root}/tmpfs`);
    places.push(`${tree.root}/tmpfs`);
    mkdirSync(`${tree.root}/tmpfs/low`);
    mountOverlay(`${tree.root}/tmpfs/low`, `${tree.root}/tmpfs/other`, `${tree.root}/overlay`);
    places.push(`${tree.root}/overlay`);
    return true;
  } catch {
    return false;
  } finally {
    for (const place of places.toReversed()) unmount(place);
  }
}
