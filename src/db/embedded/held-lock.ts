import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { chownToFolderOwner } from './account.ts';
import type { Cluster } from './cluster.ts';
import type { HostIdentity } from './host-identity.ts';
import {
  createRecord,
  highestGeneration,
  type LockRecord,
  lockFolder,
  openLockFolder,
  readLock,
  rewriteRecord,
  unknownRecord,
} from './server-lock.ts';

const HEARTBEAT_MS = 1_000;

/**
 * The lock held by a supervisor, with its heartbeat. `onLost` is called once, by the heartbeat that finds a
 * higher generation.
 */
export class HeldLock {
  readonly #cluster: Cluster;
  readonly #listener: Server | null;
  readonly #onLost: (to: LockRecord) => void;
  readonly #timer: NodeJS.Timeout;
  #record: LockRecord;

  private constructor(
    cluster: Cluster,
    record: LockRecord,
    listener: Server | null,
    onLost: (to: LockRecord) => void,
  ) {
    this.#cluster = cluster;
    this.#record = record;
    this.#listener = listener;
    this.#onLost = onLost;
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /**
   * Returns null if another supervisor was first. The socket accepts before the record names it, so that a
   * live supervisor is never considered dead.
   */
  static async claim(
    cluster: Cluster,
    here: HostIdentity,
    claim: { after: number; state: 'held' | 'fencing' },
    onLost: (to: LockRecord) => void,
  ): Promise<HeldLock | null> {
    openLockFolder(cluster);
    const generation = claim.after + 1;
    const socket = `${generation}-${randomBytes(4).toString('hex')}.sock`;
    const listener = await listenAt(cluster, socket);
    const record: LockRecord = {
      ...here,
      generation,
      keeper: process.pid,
      socket: listener && socket,
      state: claim.state,
      beat: 0,
      beatAt: Date.now(),
    };
    let created = false;
    try {
      created = createRecord(cluster, record);
    } finally {
      if (!created) listener?.close(); // also removes the socket
    }
    return created ? new HeldLock(cluster, record, listener, onLost) : null;
  }

  /** Called when the other server is certainly gone. */
  confirm(): void {
    this.#write('held');
  }

  /** Only after the server has stopped: the next one may start at once, on any host. */
  release(): void {
    clearInterval(this.#timer);
    this.#write('released');
    this.#listener?.close();
  }

  #beat(): void {
    if (highestGeneration(this.#cluster) <= this.#record.generation) return this.#write(this.#record.state);
    const successor = this.#successor();
    if (successor === null || successor.generation <= this.#record.generation) return;
    clearInterval(this.#timer);
    this.#onLost(successor);
  }

  /**
   * The lock is lost even if the new holder is unknown: an unreadable record must not keep this host's
   * server running.
   */
  #successor(): LockRecord | null {
    try {
      return readLock(this.#cluster);
    } catch {
      return unknownRecord(this.#record.generation + 1);
    }
  }

  #write(state: LockRecord['state']): void {
    this.#record = { ...this.#record, state, beat: this.#record.beat + 1, beatAt: Date.now() };
    rewriteRecord(this.#cluster, this.#record);
  }
}

/**
 * Listens by name relative to the folder, which is always short enough for a socket. Null: the file system
 * does not support sockets.
 */
async function listenAt(cluster: Cluster, name: string): Promise<Server | null> {
  chdir(lockFolder(cluster));
  const listener = createServer((visitor) => visitor.destroy());
  try {
    listener.listen(name);
    await once(listener, 'listening');
    chownToFolderOwner(join(lockFolder(cluster), name), cluster.home);
    return listener;
  } catch {
    return null;
  }
}
