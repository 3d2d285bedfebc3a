/** A TCP address before a server's socket. Where it leads can be changed, what flows can be held up, connections can be cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** New connections lead there; null: they are cut at once. Those that exist are cut. */
  leadTo(socketPath: string | null): void;
  /** Drops all traffic without closing connections, as a network partition does. */
  stall(): void;
  /** What was held up flows again. */
  flow(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(first: string): Promise<TcpProxy> {
  let target: string | null = first;
  let stalled = false;
  const sockets = new Set<Socket>();

  function keep(socket: Socket, other: () => Socket): void {
    sockets.add(socket);
    if (stalled) socket.pause();
    socket.on('data', (data) => {
      if (!other().write(data)) socket.pause();
    });
    socket.on('drain', () => void (stalled || other().resume()));
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
  }

  const server = createServer({ noDelay: true }, (client) => {
    if (target === null) return void client.resetAndDestroy();
    const upstream = connect({ path: target });
    keep(client, () => upstream);
    keep(upstream, () => client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** What is on its way is lost. */
  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    leadTo(socketPath) {
      target = socketPath;
      cut();
    },
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    flow() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      target = null;
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
