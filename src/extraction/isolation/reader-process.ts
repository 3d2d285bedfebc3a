/** The process that reads documents, seen from the thread that it works for: how it is started and how it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ByteQueue } from '../formats/byte-queue.ts';
import type { MemoryShare } from './shared-readers.ts';
import { type ProcessLimits, startCommand } from './start-command.ts';

/** Characters of its last messages: libraries print a lot, the end counts. */
const COMPLAINT = 8192;
/** All processes together had too much memory. */
export const EVICTED = 'ended to make room';

export class ReaderProcess {
  /** Of the supervisor, which ends when the reader has ended. */
  readonly #child: ChildProcess;
  readonly limits: ProcessLimits;
  readonly socket: Duplex;
  readonly queue: ByteQueue;
  /** While it is open the process may live; see start-command.ts. */
  readonly #lifeline: Duplex;
  /** Of the supervisor. */
  readonly pid: number | undefined;
  readonly #ended: Promise<void>;
  readonly #memory: MemoryShare | null;
  #pid = 0;
  #stderr = '';
  #code: string | number | null = null;
  #killedFor: string | null = null;
  documents = 0;
  /** CPU seconds up to its last document, as it reported them. */
  cpuSeconds = 0;

  constructor(file: URL, limits: ProcessLimits, memory: MemoryShare | null = null) {
    this.limits = limits;
    this.#memory = memory;
    this.#child = start(fileURLToPath(file), limits);
    this.pid = this.#child.pid;
    this.socket = this.#child.stdio[3] as Duplex;
    this.#lifeline = this.#child.stdio[4] as Duplex;
    for (const pipe of [this.socket, this.#lifeline]) pipe.on('error', () => {}); // its end is seen by the reading side
    this.#lifeline.on('data', (line) => this.#started(Number(line)));
    this.queue = new ByteQueue(bytesOf(this.socket));
    this.#child.stderr?.on('data', (text) => {
      this.#stderr = (this.#stderr + String(text)).slice(-COMPLAINT);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve());
      this.#child.on('close', (code, signal) => {
        this.#code = signal ?? code;
        resolve();
      });
    });
    this.unref();
  }

  /** Nothing waits for it: it doesn't keep Seine from ending. */
  unref(): void {
    this.#refs('unref');
  }

  ref(): void {
    this.#refs('ref');
  }

  /** `why`: the reason reported for the current document. */
  kill(why: string | null): void {
    this.#killedFor ??= why;
    this.#end();
  }

  /** Why it ended; null while it runs. */
  async exitReason(): Promise<string> {
    this.#end(); // it may live on with a closed connection
    await this.#ended;
    if (this.#killedFor !== null) return this.#killedFor;
    if (this.#memory?.wasEvicted(this.#pid)) return EVICTED;
    return isOutOfMemory(this.#stderr) ? 'limit: memory' : `document reader ended (${this.#code})`;
  }

  #started(pid: number): void {
    if (this.#lifeline.destroyed) return;
    this.#pid = pid;
    this.#memory?.started(pid);
  }

  /** Clears its process id first: once it has ended, the id may be reused by another process. */
  #end(): void {
    this.#memory?.ended();
    this.#lifeline.destroy();
  }

  #refs(way: 'ref' | 'unref'): void {
    this.#child[way]();
    for (const pipe of [this.socket, this.#lifeline, this.#child.stderr])
      (pipe as unknown as Refable | null)?.[way]?.();
  }
}

/** A connection that breaks has ended. */
async function* bytesOf(socket: Duplex): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of socket) yield bytes as Uint8Array;
  } catch {}
}

interface Refable {
  ref?(): void;
  unref?(): void;
}

export function isOutOfMemory(text: string): boolean {
  return /out of memory|allocation failed|failed to allocate|cannot allocate|invalid (?:array buffer|string) length/i.test(
    text,
  );
}

/**
 * Started in its own session: Ctrl-C in a terminal reaches the main process only, which then ends it. The environment is not inherited,
 * because it may contain secrets.
 */
function start(file: string, limits: ProcessLimits): ChildProcess {
  const [program, ...words] = startCommand(file, limits);
  return spawn(program!, words, {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
}
