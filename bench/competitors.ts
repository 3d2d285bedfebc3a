/** The packages that others are measured with. They have folders of their own: nothing but the benchmarks needs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** By benchmark, so that running one does not install the competitors of the others. */
export type CompetitorSet = 'workflows' | 'documents';

/** Not "npm ci": it refuses a lock file that lacks optional packages for other systems. Versions are the lock file's. */
const INSTALL = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Installed on first use, as locked. */
export function installCompetitors(company: CompetitorSet, log: (line: string) => void): void {
  const folder = folderOf(company);
  if (existsSync(join(folder, 'node_modules'))) return;
  log(`installs what it is compared with, into bench/competitors/${company} …`);
  const { status } = spawnSync('npm', INSTALL, { cwd: folder, stdio: 'ignore' });
  if (status !== 0) log('… which failed: their rows will be missing');
}

/** Null: it is not installed. */
export function importCompetitor<T>(company: CompetitorSet, name: string): T | null {
  try {
    return createRequire(join(folderOf(company), 'package.json'))(name);
  } catch {
    return null;
  }
}

/** Null: it is not installed. */
export function competitorVersion(company: CompetitorSet, name: string): string | null {
  try {
    const path = join(folderOf(company), 'node_modules', name, 'package.json');
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  } catch {
    return null;
  }
}

function folderOf(company: CompetitorSet): string {
  return join(import.meta.dirname, 'competitors', company);
}
