import dns from 'node:dns';
import net from 'node:net';

/** No document is worth a connection, whatever it asks for. */
export function forbidNetwork(): void {
  const refuse = (): never => {
    throw new Error('A document asked for the network.');
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dns.lookup = refuse as unknown as typeof dns.lookup;
  globalThis.fetch = refuse;
  globalThis.WebSocket = refuse as unknown as typeof WebSocket;
}
