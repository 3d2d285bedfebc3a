import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local server with scripted responses that counts open connections. */
export interface HttpServer extends AsyncDisposable {
  readonly endpoint: string;
  connections(): Promise<number>;
}

export async function startHttpServer(answer: RequestListener, host = '127.0.0.1'): Promise<HttpServer> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
