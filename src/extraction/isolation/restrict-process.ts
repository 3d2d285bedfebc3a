/**
 * Removes capabilities from this process that no document needs: connections, threads, processes, signals. Node's permission model
 * already denies threads, processes, addons and foreign files, but does not cover the network. Where permitted, the process also has a
 * network namespace without interfaces (start-command.ts), so that code which bypasses these functions has no network either.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

/** Objects and their functions that are replaced; without names, all functions of the object. */
const REFUSED: readonly (readonly [object, (readonly string[])?])[] = [
  [net, ['connect', 'createConnection', 'createServer']],
  [net.Socket.prototype, ['connect']],
  [net.Server.prototype, ['listen']],
  [dgram, ['createSocket', 'Socket']],
  [dgram.Socket.prototype, ['bind', 'connect', 'send']],
  [dns.Resolver.prototype],
  [dns.promises.Resolver.prototype],
  [dns.promises],
  [dns],
  [childProcess],
  [workerThreads, ['Worker']],
  [process, ['kill', '_kill', '_debugProcess', 'dlopen', 'binding', '_linkedBinding']],
  [globalThis, ['fetch', 'WebSocket', 'EventSource']],
];

export function restrictProcess(): void {
  for (const [owner, names] of REFUSED) {
    for (const name of names ?? functionsOf(owner)) refuse(owner, name);
  }
  syncBuiltinESMExports(); // imports of these modules by name see the replaced functions, too
}

function functionsOf(owner: object): string[] {
  return Object.getOwnPropertyNames(owner).filter((name) => {
    const { value } = Object.getOwnPropertyDescriptor(owner, name)!;
    return typeof value === 'function' && name !== 'constructor';
  });
}

function refuse(owner: object, name: string): void {
  const value = function refused(): never {
    throw new Error(`A document reader called ${name}, which it may not.`);
  };
  Object.defineProperty(owner, name, { value, configurable: false, enumerable: true, writable: false });
}
