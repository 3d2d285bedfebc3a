/**
 * PostgreSQL refuses to run as root. Started by root it runs under a number that no account has: `nobody` runs other services, which could
 * read and change the files of the database. The number is chosen by the cluster's id and then stays: it is the owner of its folder.
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
 * Numbers that no one assigns: above the ranges of directory services and containers, and, where a user namespace has only 65,536
 * numbers, between those of systemd.
 */
const DEDICATED: readonly UidRange[] = [
  { from: 2_010_000_000, count: 130_000_000 },
  { from: 60_706, count: 478 },
];

/** Whom the server runs as; null: as ourselves. */
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

/** Lines of "inside outside count". Without the file all numbers can be used. */
export function isMapped(map: string, { from, count }: UidRange): boolean {
  if (map === '') return true;
  return map.split('\n').some((line) => {
    const [inside, , length] = line.trim().split(/\s+/).map(Number);
    return inside !== undefined && inside <= from && from + count <= inside + (length ?? 0);
  });
}

/**
 * `initdb` insists on a user with a name. It runs for a second as one that runs nothing else, so that no other process can touch its files;
 * then they are given to the account of the server. Without any, `initdb` says what is missing.
 */
export function initdbAccount(account: Account): Account {
  const busy = new Set(runningUsers());
  const named = namedAccounts().filter(({ uid, shell }) => uid !== 0 && /(nologin|false)$/.test(shell));
  const idle = named.filter(({ uid }) => !busy.has(uid));
  const chosen = idle.find(({ name }) => name === 'nobody') ?? idle[0] ?? named[0];
  return { uid: chosen?.uid ?? account.uid, gid: account.gid };
}

/** Clusters that earlier versions made belong to `nobody`. */
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

/** What root makes in somebody's folder, that somebody must be able to use tomorrow. */
export function chownToFolderOwner(path: string, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  lchownSync(path, uid, gid);
}

/** Judged by mode bits alone, from the root down: no process is started for it. */
export function canAccess(path: string, account: Account | null): boolean {
  if (account === null) return true;
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (!stat) return false;
    const shift = stat.uid === account.uid ? 6 : stat.gid === account.gid ? 3 : 0;
    const wanted = stat.isDirectory() ? 0o1 : 0o4;
    if (((stat.mode >> shift) & wanted) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
