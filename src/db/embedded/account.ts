import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * PostgreSQL refuses to run as root. Started by root it runs as whoever owns the cluster or the data folder, or as `nobody`
 * when that is root too.
 */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Whom the server runs as; null: as ourselves. */
export function serverAccount(dataFolder: string, home: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8');
  const owner = [home, dataFolder]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    // `initdb` insists on a name for its user.
    .find((stat) => stat && stat.uid !== 0 && new RegExp(`^[^:]*:[^:]*:${stat.uid}:`, 'm').test(users));
  return owner ? { uid: owner.uid, gid: owner.gid } : nobody(users);
}

/** What root makes in somebody's folder, that somebody must be able to use tomorrow. */
export function giveToOwner(path: string, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

/** Judged by mode bits alone, from the root down: no process is started for it. */
export function canReach(path: string, account: Account | null): boolean {
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

function nobody(users: string): Account {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users);
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65534, gid: 65534 };
}
