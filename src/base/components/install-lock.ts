/**
 * A lock between processes, also of several hosts and containers: a folder whose time its holder renews, with the holder's name in it. A lock
 * whose holder died is free at once for processes of the same host, for others when it has expired.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../errors.ts';

const RENEW_INTERVAL_MS = 2000;
/** Not renewed for so long, its holder has died. A holder that was suspended for longer does no harm: see install-component.ts. */
const EXPIRES_AFTER_MS = 30_000;
const POLL_INTERVAL_MS = 200;

/** `onWait` is called once if another process holds the lock. */
export async function withInstallLock<T>(
  path: string,
  onWait: () => void,
  fn: () => Promise<T>,
  expiresAfterMs = EXPIRES_AFTER_MS,
): Promise<T> {
  for (let waits = 0; !takeLock(path); ) {
    if (isAbandoned(path, expiresAfterMs)) {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (waits++ === 0) onWait();
    await sleep(POLL_INTERVAL_MS);
  }
  const renewing = setInterval(() => renew(path), RENEW_INTERVAL_MS);
  try {
    return await fn();
  } finally {
    clearInterval(renewing);
    rmSync(path, { recursive: true, force: true });
  }
}

function takeLock(path: string): boolean {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
  writeOwner(path);
  return true;
}

const OWNER = 'owner';

/** Names this process as the owner of a folder. */
export function writeOwner(folder: string): void {
  try {
    writeFileSync(join(folder, OWNER), `${process.pid} ${hostname()}`);
  } catch {} // without it the folder expires
}

/** The process that made the folder has died, or has not renewed it for so long. */
export function isAbandoned(folder: string, expiresAfterMs: number): boolean {
  const state = statSync(folder, { throwIfNoEntry: false });
  if (state === undefined) return false; // it was released meanwhile
  return hasDeadOwner(folder) || Date.now() - state.mtimeMs > expiresAfterMs;
}

function hasDeadOwner(folder: string): boolean {
  try {
    const [pid, host] = readFileSync(join(folder, OWNER), 'utf8').split(' ');
    if (host !== hostname()) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Fails if the lock was taken over; then the others find what this process has installed, or install it again. */
function renew(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {}
}
