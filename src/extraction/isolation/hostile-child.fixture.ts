/**
 * A process like child.ts whose documents are scripts, one action per line: 'say hello', 'hang', 'exit', 'eat', 'read /etc/passwd' and so
 * on. An action that the sandbox must deny reports the outcome.
 */

import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { resolve4 } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import net, { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { DocumentItem, RandomAccess } from '../document-item.ts';
import type { DocumentReaders } from '../document-readers.ts';
import { UnsupportedLibrary } from '../extraction-error.ts';
import { serveAlone } from './serve-alone.ts';

const documents: DocumentReaders = {
  async read({ document, input, path }, around) {
    return (await around.extractItems(played(input), path)).build(document);
  },
};

async function* played(input: RandomAccess): AsyncGenerator<DocumentItem> {
  const script = Buffer.from(await input.read(0, 1024))
    .toString()
    .split('\n');
  for (const [i, line] of script.entries()) {
    const [verb = '', ...rest] = line.split(' ');
    const how = rest.join(' ');
    const say = (text: string): DocumentItem => ({
      is: 'text',
      location: `page ${i}`,
      text: Buffer.from(text),
    });
    if (verb === 'say') yield say(how);
    else if (verb === 'flood') yield { is: 'entry', name: 'flood.txt', bytes: flood(Number(how)) };
    else if (verb in attempts) yield say(await outcome(() => attempts[verb]!(how)));
    else await commands[verb]?.(how);
  }
}

/** One chunk of this many megabytes. */
async function* flood(megabytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(megabytes * 1024 * 1024, 'text \n');
}

async function outcome(attempt: () => unknown): Promise<string> {
  try {
    return `done: ${await attempt()}`;
  } catch (error) {
    return `refused: ${(error as { code?: string }).code ?? (error as Error).message}`;
  }
}

const commands: Readonly<Record<string, (how: string) => unknown>> = {
  hang: () => {
    for (;;);
  },
  /** Uses this many milliseconds of CPU time. */
  burn: (ms) => {
    const spent = () => process.cpuUsage().user + process.cpuUsage().system;
    const began = spent();
    while (spent() - began < 1000 * Number(ms));
  },
  sleep: () => new Promise(() => setInterval(() => {}, 1000)),
  wait: () => new Promise((resolve) => setTimeout(resolve, 500)),
  exit: () => process.exit(3),
  unsupported: () => {
    throw new UnsupportedLibrary('thing', 'it differs');
  },
  fail: () => (undefined as unknown as string).length,
  eat: () => {
    for (const eaten: Buffer[] = []; ; ) eaten.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  devour: () => {
    for (const eaten: string[][] = []; ; ) eaten.push(Array.from({ length: 100_000 }, (_, i) => `text ${i}`));
  },
  overlong: () => 'long'.repeat(2 ** 28),
};

/** As it was before the process was restricted: only the system can refuse it. */
const { connect: unrestricted } = net.Socket.prototype;

const attempts: Readonly<Record<string, (how: string) => unknown>> = {
  read: (path) => readFileSync(path, 'utf8').length,
  write: (path) => writeFileSync(path, 'caught'),
  tcp: (port) => once(connect({ port: Number(port) }), 'connect'),
  'tcp-unrestricted': (port) => {
    const socket = new net.Socket();
    unrestricted.call(socket, { port: Number(port), host: '127.0.0.1' } as never);
    return once(socket, 'connect');
  },
  unix: (path) => once(connect(path), 'connect'),
  listen: () => once(net.createServer().listen(0), 'listening'),
  udp: (port) => {
    const socket = dgram.createSocket('udp4');
    return new Promise((resolve, reject) =>
      socket.send('caught', Number(port), '127.0.0.1', (error) => (error ? reject(error) : resolve('sent'))),
    );
  },
  dns: (name) => resolve4(name),
  fetch: (url) => fetch(url),
  thread: () => once(new Worker('0', { eval: true }), 'exit'),
  program: () => {
    const { error, status } = spawnSync('/bin/true');
    if (error) throw error;
    return status;
  },
  signal: (pid) => process.kill(Number(pid), 0),
  addon: (path) => process.dlopen({ exports: {} }, path),
  binding: (name) => (process as unknown as { binding(name: string): unknown }).binding(name),
};

await serveAlone(documents);
