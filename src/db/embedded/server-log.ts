import { constants, copyFileSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { chownToFolderOwner } from './account.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export function logPath(dataFolder: string): string {
  return join(dataFolder, 'postgres.log');
}

/**
 * Opened for appending, so that truncating it while the server writes leaves no hole. Does not follow
 * links, which could lead to any file.
 */
export function openLog(dataFolder: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const fd = openSync(logPath(dataFolder), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  chownToFolderOwner(logPath(dataFolder), dataFolder);
  return fd;
}

/** Keeps one predecessor, so that the log takes at most about twice the limit. */
export function rotateLog(dataFolder: string, limit = MAX_LOG_BYTES): void {
  const path = logPath(dataFolder);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= limit) return;
  rmSync(`${path}.1`, { force: true });
  copyFileSync(path, `${path}.1`, constants.COPYFILE_EXCL);
  truncateSync(path);
}

export function tailLog(dataFolder: string, lines = 6): string {
  try {
    return readFileSync(logPath(dataFolder), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
