import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { type Account, initdbAccount, serverAccount } from './account.ts';
import { type Binaries, postgresBinaries } from './binaries.ts';
import {
  type Cluster,
  checkOwner,
  clusterExists,
  clusterFolder,
  markComplete,
  writeOwner,
} from './cluster.ts';
import { checkHome, chownTree } from './home-files.ts';

/** `initdb` takes a second or two; an older draft was left by a process that crashed. */
const ABANDONED_MS = 5 * 60_000;

/** Creates the cluster if there is none, and checks that it is ours and of our version. */
export async function initializeCluster(cluster: Cluster): Promise<void> {
  const account = serverAccount(cluster.id, cluster.home);
  const binaries = postgresBinaries(cluster.dataFolder, account);
  if (!clusterExists(cluster)) await createHome(cluster, account, binaries);
  checkHome(cluster);
  checkOwner(cluster);
  checkVersion(cluster, binaries);
  markComplete(cluster);
}

/** A draft may still be written to; what cannot be removed now is removed later. */
export function removeAbandonedDrafts(cluster: Cluster): void {
  const parent = dirname(cluster.home);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${basename(cluster.home)}.new-`)) continue;
    try {
      const draft = join(parent, name);
      if (Date.now() - statSync(draft).mtimeMs > ABANDONED_MS)
        rmSync(draft, { recursive: true, force: true });
    } catch {}
  }
}

/** Creates it in a draft folder; only the complete home is renamed. */
async function createHome(cluster: Cluster, account: Account | null, binaries: Binaries): Promise<void> {
  if (cluster.complete) {
    throw new SeineError('not-found', `The database folder ${cluster.home} was removed.`, {
      hint: `Bring it back, or delete ${join(cluster.dataFolder, 'postgres.json')} to start empty.`,
    });
  }
  const draft = mkdtempSync(`${cluster.home}.new-`);
  const maker = account && initdbAccount(account);
  const passwordFile = join(draft, 'password');
  try {
    mkdirSync(join(draft, 'socket'), { mode: 0o700 });
    writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
    if (maker) for (const path of [draft, join(draft, 'socket'), passwordFile]) chownTo(path, maker);
    await runInitdb(join(draft, 'data'), passwordFile, maker, binaries);
    rmSync(passwordFile);
    if (account) chownTree(draft, account);
    writeOwner(draft, cluster);
    renameSync(draft, cluster.home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const lost = codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST';
    // A concurrent start was first: we use its cluster, created with the same password.
    if (!lost || !existsSync(cluster.home)) throw error;
  }
}

function chownTo(path: string, account: Account): void {
  chownSync(path, account.uid, account.gid);
}

/** Bytewise sort order and PostgreSQL's builtin locale, independent of the machine's locales. */
async function runInitdb(
  folder: string,
  passwordFile: string,
  account: Account | null,
  binaries: Binaries,
): Promise<void> {
  const args = [
    ...['--pgdata', folder, '--username', 'seine', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-instructions',
  ];
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const child = spawn(join(binaries.bin, 'initdb'), args, {
    ...account,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  if (code !== 0) throw initdbFailure(folder, said);
}

function initdbFailure(folder: string, said: string): SeineError {
  if (/no space left on device/i.test(said)) return diskFull(dirname(dirname(folder)));
  const nameless = /effective user ID (\d+)/.exec(said);
  if (nameless) {
    return new SeineError(
      'permission',
      `The private PostgreSQL needs a user with a name, and ${nameless[1]} has none.`,
      {
        hint: 'Add a line for it to /etc/passwd, run as another user, or set DATABASE_URL to a PostgreSQL server.',
      },
    );
  }
  return new SeineError('unavailable', `The private PostgreSQL could not be set up: ${said.trim()}`, {
    hint: 'Choose another folder with --data, or set DATABASE_URL to a PostgreSQL server.',
    retry: false,
  });
}

export function diskFull(folder: string): SeineError {
  return new SeineError('limit', `The disk that holds ${folder} is full.`, {
    hint: 'Free some space (an empty database takes 60 MB), or choose a folder on another disk with --data.',
  });
}

function checkVersion(cluster: Cluster, binaries: Binaries): void {
  const found = readFileSync(join(clusterFolder(cluster), 'PG_VERSION'), 'utf8').trim();
  if (Number.parseInt(found, 10) === binaries.major) return;
  throw new SeineError(
    'conflict',
    `The database in ${cluster.dataFolder} was made by PostgreSQL ${found}, and this Seine brings PostgreSQL ${binaries.major}.`,
    {
      hint:
        `Keep it with the Seine that made it, or move it to a server (pg_dump and pg_restore of PostgreSQL ${found} or newer) ` +
        'and set DATABASE_URL, or choose an empty folder with --data and scan again.',
    },
  );
}
