/**
 * A TCP proxy that can fall silent: it keeps all connections, takes new ones, and passes nothing on, as if the other side had vanished. Or it
 * forgets the connections it has, as a firewall does: these pass nothing any more, and new ones work.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  dropTraffic(): void;
  restoreTraffic(): void;
  forget(): void;
  close(): Promise<void>;
}

/** `target` is a port of this machine or the path of a Unix socket. */
export async function startSilentProxy(target: number | string): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  let era = 0;
  const server = createServer((near) => {
    const ours = era;
    const isLost = () => isSilent || era !== ours;
    const far = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      // What comes while it is silent is gone, as packets are.
      from.on('data', (bytes) => void (isLost() || to.write(bytes)));
      from.on('error', () => {}).on('close', () => void (isLost() || to.destroy()));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    dropTraffic: () => {
      isSilent = true;
    },
    restoreTraffic: () => {
      isSilent = false;
    },
    forget: () => {
      era++;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
