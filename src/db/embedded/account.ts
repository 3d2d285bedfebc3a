/**
 * PostgreSQL refuses to run as root. Started by root it runs under a user id without an account: `nobody`
 * runs other services, which could read and change the files of the database. The id is derived from the
 * cluster's id and then kept: it owns the folder.
 */
import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

interface UidRange {
  readonly from: number;
  readonly count: number;
}

/**
 * Ids that are never assigned: above the ranges of directory services and containers, and, where a user
 * namespace has only 65,536 ids, between those of systemd.
 */
const DEDICATED: readonly UidRange[] = [
  { from: 2_010_000_000, count: 130_000_000 },
  { from: 60_706, count: 478 },
];

/** The account that the server runs as; null: our own. */
export function serverAccount(id: string, home: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(home, { throwIfNoEntry: false });
  return owner && isDedicated(owner.uid) ? { uid: owner.uid, gid: owner.gid } : dedicatedAccount(id);
}

export function isDedicated(uid: number): boolean {
  return DEDICATED.some(({ from, count }) => uid >= from && uid < from + count);
}

function dedicatedAccount(id: string): Account {
  const maps = ['uid', 'gid'].map((kind) => readText(`/proc/self/${kind}_map`));
  const { from, count } =
    DEDICATED.find((range) => maps.every((map) => isMapped(map, range))) ?? DEDICATED.at(-1)!;
  const taken = new Set(namedAccounts().map(({ uid }) => uid));
  let chosen = from + (Number.parseInt(id.slice(0, 12), 16) % count);
  while (taken.has(chosen)) chosen = from + ((chosen + 1 - from) % count);
  return { uid: chosen, gid: chosen };
}

/** Parses lines of "inside outside count" (user_namespaces(7)). Without the file all ids are mapped. */
export function isMapped(map: string, { from, count }: UidRange): boolean {
  if (map === '') return true;
  return map.split('\n').some((line) => {
    const [inside, , length] = line.trim().split(/\s+/).map(Number);
    return inside !== undefined && inside <= from && from + count <= inside + (length ?? 0);
  });
}

/**
 * `initdb` requires a user with a name. It runs for a second as one that runs no other process, so that
 * none can access its files; then they are given to the account of the server. If there is none, `initdb`
 * reports the error.
 */
export function initdbAccount(account: Account): Account {
  const busy = new Set(runningUsers());
  const named = namedAccounts().filter(({ uid, shell }) => uid !== 0 && /(nologin|false)$/.test(shell));
  const idle = named.filter(({ uid }) => !busy.has(uid));
  const chosen = idle.find(({ name }) => name === 'nobody') ?? idle[0] ?? named[0];
  return { uid: chosen?.uid ?? account.uid, gid: account.gid };
}

/** Clusters created by earlier versions belong to `nobody`. */
export function nobodyId(): number {
  return namedAccounts().find(({ name }) => name === 'nobody')?.uid ?? 65_534;
}

function namedAccounts(): { name: string; uid: number; shell: string }[] {
  return readText('/etc/passwd')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => /^\d+$/.test(fields[2] ?? ''))
    .map(([name = '', , uid, , , , shell = '']) => ({ name, uid: Number(uid), shell }));
}

function runningUsers(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const process = /^\d+$/.test(name) ? statSync(`/proc/${name}`, { throwIfNoEntry: false }) : undefined;
    return process ? [process.uid] : [];
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Files that root creates in a user's folder must stay usable for that user. */
export function chownToFolderOwner(path: string, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  lchownSync(path, uid, gid);
}

/** Evaluates only mode bits, from the root down, without starting a process. */
export function canAccess(path: string, account: Account | null): boolean {
  if (account === null) return true;
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (!stat) return false;
    const shift = stat.uid === account.uid ? 6 : stat.gid === account.gid ? 3 : 0;
    const required = stat.isDirectory() ? 0o1 : 0o4;
    if (((stat.mode >> shift) & required) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
