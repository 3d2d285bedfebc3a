import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, SOCKET_NAME } from './cluster.ts';
import { tryConnect } from './session.ts';

let socket: string;
let server: Server | null = null;
beforeEach(() => {
  socket = mkdtempSync(join(tmpdir(), 'seine-knock-'));
});
afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  rmSync(socket, { recursive: true });
});

const cluster = (): Cluster => ({
  dataFolder: socket,
  id: 'x',
  password: 'x',
  home: socket,
  socket,
  complete: true,
});

describe('a connection attempt', () => {
  it('returns closed where there is no socket', async () => {
    expect(await tryConnect(cluster(), 'test')).toBe('closed');
  });

  it('to a server that closes all connections returns starting', async () => {
    server = createServer((connection) => connection.destroy()).listen(join(socket, SOCKET_NAME));
    await new Promise((resolve) => server!.once('listening', resolve));
    // Whether the close is detected while reading (ECONNRESET) or while writing (EPIPE) is a race.
    for (let i = 0; i < 200; i++) expect(await tryConnect(cluster(), 'test')).toBe('starting');
  });
});
