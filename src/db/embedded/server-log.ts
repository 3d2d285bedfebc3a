import { copyFileSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from './account.ts';

const LIMIT = 1024 * 1024;

export function logPath(dataFolder: string): string {
  return join(dataFolder, 'postgres.log');
}

/** Open for appending, so that cutting it short while the server writes leaves no hole. */
export function openLog(dataFolder: string): number {
  const fd = openSync(logPath(dataFolder), 'a', 0o600);
  giveToOwner(logPath(dataFolder), dataFolder);
  return fd;
}

/** Keeps one predecessor, so the log never takes more than about twice the limit. */
export function limitLog(dataFolder: string, limit = LIMIT): void {
  const path = logPath(dataFolder);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= limit) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

export function tailOfLog(dataFolder: string, lines = 6): string {
  try {
    return readFileSync(logPath(dataFolder), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
