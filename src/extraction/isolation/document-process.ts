/** The process that reads documents, seen from the thread that it works for: how it is started, what it may, how it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ByteQueue } from '../formats/byte-queue.ts';

/** Of the ceiling, the share that the heap of JavaScript may take; the rest is for bytes outside of it. */
const HEAP_SHARE = 0.6;
/** What Node reserves for itself before it does anything, and the system counts; little of it is ever used. */
const AT_START = 640;
/** Characters of what it says last: libraries chat, the end is what counts. */
const COMPLAINT = 8192;

export class DocumentProcess {
  readonly #child: ChildProcess;
  readonly megabytes: number;
  readonly socket: Duplex;
  readonly queue: ByteQueue;
  readonly #ended: Promise<void>;
  #complaint = '';
  #code: string | number | null = null;
  #killedFor: string | null = null;
  documents = 0;

  constructor(file: URL, megabytes: number) {
    this.megabytes = megabytes;
    this.#child = start(fileURLToPath(file), megabytes);
    this.socket = this.#child.stdio[3] as Duplex;
    this.socket.on('error', () => {}); // its end is seen by whoever reads
    this.queue = new ByteQueue(bytesOf(this.socket));
    this.#child.stderr?.on('data', (text) => {
      this.#complaint = (this.#complaint + String(text)).slice(-COMPLAINT);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve());
      this.#child.on('close', (code, signal) => {
        this.#code = signal ?? code;
        resolve();
      });
    });
    this.rest();
  }

  /** Nobody waits for it: it doesn't keep Seine from ending. */
  rest(): void {
    this.#refs('unref');
  }

  wake(): void {
    this.#refs('ref');
  }

  /** `why`: what is said of the document that it worked on. */
  kill(why: string | null): void {
    this.#killedFor ??= why;
    this.#child.kill('SIGKILL');
  }

  /** Why it is gone, once it is. */
  async obituary(): Promise<string> {
    this.#child.kill('SIGKILL'); // it may live on with a closed connection
    await this.#ended;
    if (this.#killedFor !== null) return this.#killedFor;
    return isOutOfMemory(this.#complaint) ? 'limit: memory' : `document reader ended (${this.#code})`;
  }

  #refs(way: 'ref' | 'unref'): void {
    this.#child[way]();
    for (const pipe of [this.socket, this.#child.stderr]) (pipe as unknown as Refable | null)?.[way]?.();
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
 * The shell sets the ceiling: the system itself then refuses memory beyond it, to JavaScript, WebAssembly and everything else. The
 * environment stays behind, with whatever secrets it holds.
 */
function start(file: string, megabytes: number): ChildProcess {
  const flags = [
    `--max-old-space-size=${Math.floor(megabytes * HEAP_SHARE)}`,
    '--permission',
    '--allow-fs-read=*',
    '--allow-worker',
    '--no-warnings',
  ];
  return spawn(
    '/bin/sh',
    [
      '-c',
      `ulimit -d ${(megabytes + AT_START) * 1024} 2>/dev/null; exec "$0" "$@"`,
      process.execPath,
      ...flags,
      file,
    ],
    { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
}
