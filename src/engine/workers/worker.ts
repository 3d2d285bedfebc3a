/**
 * A worker's entry in the registry while the process runs. If the process of a registered worker on this
 * machine is gone, its leases are expired as soon as another worker starts here, so that a resume after
 * `kill -9` need not wait. If the process id was reused meanwhile, the leases expire by themselves; the
 * fence protects either way.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../base/errors.ts';
import { startPollingLoop } from '../../base/polling-loop.ts';
import type { Database, Tx } from '../../db/database.ts';
import {
  expireLeasesOf,
  recordHeartbeat,
  registerWorker,
  removeWorker,
  type WorkerIdentity,
  type WorkerProgress,
  workersOfHost,
} from './worker-store.ts';

export interface Worker {
  readonly id: string;
  leave(): Promise<void>;
}

export interface WorkerOptions {
  readonly version?: string;
  readonly threads?: number;
  readonly concurrency?: number;
  readonly heartbeatMs?: number;
  readonly progress?: () => WorkerProgress;
  readonly host?: string;
  readonly pid?: number;
  readonly role?: WorkerIdentity['role'];
  readonly workflows?: readonly string[];
  readonly workflowVersions?: readonly number[];
  readonly partition?: number | null;
  /** Cleans up what else a dead worker of this machine leaves behind, besides its leases. */
  readonly onDeadWorker?: (tx: Tx, worker: string) => Promise<void>;
}

const ZERO_PROGRESS: WorkerProgress = {
  objects: 0,
  bytes: 0,
  findings: 0,
  waitedMs: 0,
  fencedWrites: 0,
  draining: false,
};

export async function startWorkerRegistration(db: Database, options: WorkerOptions = {}): Promise<Worker> {
  const { version = '', threads = 0, concurrency = 0, heartbeatMs = 2000 } = options;
  const { host = processHost(), pid = process.pid, progress = () => ZERO_PROGRESS } = options;
  const { role = 'scans', workflows = [], workflowVersions = [], partition = null } = options;
  await removeDeadWorkers(db, host, options.onDeadWorker);
  const identity = {
    id: randomUUID(),
    host,
    pid,
    version,
    threads,
    concurrency,
    role,
    workflows,
    workflowVersions,
    partition,
    hostAffinity: hostAffinity(),
  };
  await registerWorker(db, identity);
  const heartbeat = startPollingLoop('heartbeat', async () => {
    await sendHeartbeat(db, identity, progress()).catch(() => {}); // an unreachable database is reported later
    return heartbeatMs;
  });
  return {
    id: identity.id,
    async leave() {
      await heartbeat.stop();
      await removeDeadWorker(db, identity.id, options.onDeadWorker);
    },
  };
}

/**
 * A worker that was suspended for long may have been removed: it registers again and continues with the
 * next claim.
 */
async function sendHeartbeat(
  db: Database,
  identity: WorkerIdentity,
  progress: WorkerProgress,
): Promise<void> {
  if (await recordHeartbeat(db, identity.id, progress)) return;
  await registerWorker(db, identity);
}

async function removeDeadWorkers(
  db: Database,
  host: string,
  onDeadWorker: WorkerOptions['onDeadWorker'],
): Promise<void> {
  for (const worker of await workersOfHost(db, host)) {
    if (isAlive(worker.pid)) continue;
    await removeDeadWorker(db, worker.id, onDeadWorker);
  }
}

function removeDeadWorker(
  db: Database,
  worker: string,
  onDeadWorker: WorkerOptions['onDeadWorker'],
): Promise<void> {
  return db.tx(async (tx) => {
    await onDeadWorker?.(tx, worker);
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

/**
 * Identifies the machine, its current boot and its PID namespace: process ids mean nothing after a restart
 * or in another container.
 */
function processHost(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()}/${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** The scope in which a folder path means the same: one machine, one mount namespace. */
export function hostAffinity(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/mnt')}`;
  } catch {
    return hostname();
  }
}
