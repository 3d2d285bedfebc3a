/** Another version of Seine, from the history of this checkout, in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../../test/support/seine.ts';
import { Skipped } from './scenario.ts';

export interface OtherVersion {
  readonly folder: string;
  readonly commit: string;
  /** Migrations that this version has and the other one doesn't know. */
  readonly migrations: number;
}

/** The last commit before the schema that can be expanded while older workers run. */
const PREVIOUS = '6930862';
const MIGRATIONS = 'src/db/migrations';
const VERSION_FILE = 'src/detection/version.ts';

/** `ref` null: the previous version. Its results count as those of another version of the detectors. */
export function checkOut(folder: string, ref: string | null): OtherVersion {
  const commit = git(['rev-parse', '--verify', '--quiet', `${ref ?? previous()}^{commit}`]);
  if (commit === null) throw new Skipped(`there is no commit ${ref ?? 'before this one'} here`);
  mkdirSync(folder, { recursive: true });
  const unpack = `git archive ${commit.trim()} | tar -x -C "$1"`;
  const { status, stderr } = spawnSync('sh', ['-c', unpack, 'sh', folder], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${commit} could not be unpacked: ${stderr}`);
  installPackages(folder);
  anotherDetectionVersion(join(folder, VERSION_FILE));
  const unknown = migrationsIn(CHECKOUT).filter((name) => !migrationsIn(folder).includes(name));
  return { folder, commit: commit.trim(), migrations: unknown.length };
}

/** A checkout that is no newer than it has only its own last commit. */
function previous(): string {
  const { status } = spawnSync('git', ['merge-base', '--is-ancestor', PREVIOUS, 'HEAD~1'], { cwd: CHECKOUT });
  return status === 0 ? PREVIOUS : 'HEAD~1';
}

/** Null when git fails or is not installed. */
function git(words: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', words, { cwd: CHECKOUT, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/** With the same lock file the packages are the same. */
function installPackages(folder: string): void {
  const lock = (checkout: string) => readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(CHECKOUT)) {
    symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  const { status, stderr } = spawnSync(join(folder, 'seine'), ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The packages of the other version could not be installed: ${stderr}`);
}

/** Two versions with the same detectors would prove nothing about what one believes of the other's results. */
function anotherDetectionVersion(path: string): void {
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(
    /DETECTION_VERSION = (\d+)/,
    (_, n) => `DETECTION_VERSION = ${1000 + Number(n)}`,
  );
  if (changed === text) throw new Error(`${path} does not say its version as expected.`);
  writeFileSync(path, changed);
}

function migrationsIn(checkout: string): string[] {
  return readdirSync(join(checkout, MIGRATIONS)).filter((name) => name.endsWith('.sql'));
}
