/**
 * A worker's entry in the registry while the process runs. A worker of this machine whose process is gone can't come
 * back, so its leases are given up as soon as another worker starts here: a resume after `kill -9` needn't wait for
 * them to expire. If the number was given to another process meanwhile we only wait; the fence protects either way.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { expireLeasesOf, registerWorker, removeWorker, workersOfHost } from './worker-store.ts';

export interface Worker {
  readonly id: string;
  leave(): Promise<void>;
}

export async function joinWorkers(db: Database, host = hostOf(), pid = process.pid): Promise<Worker> {
  await buryTheDead(db, host);
  const id = randomUUID();
  await registerWorker(db, { id, host, pid });
  return { id, leave: () => bury(db, id) };
}

async function buryTheDead(db: Database, host: string): Promise<void> {
  for (const worker of await workersOfHost(db, host)) {
    if (isAlive(worker.pid)) continue;
    await bury(db, worker.id);
  }
}

function bury(db: Database, worker: string): Promise<void> {
  return db.tx(async (tx) => {
    await expireLeasesOf(tx, worker);
    await removeWorker(tx, worker);
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** The machine, its current boot and the set of processes: after a restart or in another container, numbers mean nothing. */
function hostOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()}/${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
