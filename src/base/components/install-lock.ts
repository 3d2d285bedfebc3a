/** A lock between processes, also of several hosts and containers: a folder whose time its holder renews. */
import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
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
  for (let waits = 0; !takeLock(path, expiresAfterMs); waits++) {
    if (waits === 0) onWait();
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

function takeLock(path: string, expiresAfterMs: number): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const renewed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - renewed > expiresAfterMs) rmSync(path, { recursive: true, force: true });
    return false;
  }
}

/** Fails if the lock was taken over; then the others find what this process has installed, or install it again. */
function renew(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {}
}
