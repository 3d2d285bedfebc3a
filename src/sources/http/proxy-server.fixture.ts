import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A forwarding proxy for tests. Only the proxy can resolve the names of the servers, so a request that reaches one went through it. */
export interface ProxyServer extends AsyncDisposable {
  readonly port: number;
  /** `GET http://name/path` or `CONNECT name:443`, in order of arrival. */
  readonly requests: string[];
}

export interface ProxyOptions {
  /** The local port for `name:port`. */
  readonly ports: Readonly<Record<string, number>>;
  /** `user:password` that the proxy requires. */
  readonly login?: string;
  readonly host?: string;
}

export async function startProxyServer({ ports, login, host }: ProxyOptions): Promise<ProxyServer> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();

  const isAllowed = ({ headers }: IncomingMessage) =>
    login === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`;

  function pass(request: IncomingMessage, response: ServerResponse): void {
    requests.push(`${request.method} ${request.url}`);
    const url = URL.parse(request.url ?? '');
    const port = url === null ? undefined : ports[`${url.hostname}:${url.port || 80}`];
    if (!isAllowed(request) || url === null || port === undefined) {
      return void response.writeHead(isAllowed(request) ? 502 : 407).end();
    }
    const { method, headers } = request;
    const path = request.url!.slice(url.origin.length);
    const onward = forward({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    requests.push(`CONNECT ${request.url}`);
    const port = ports[request.url ?? ''];
    if (!isAllowed(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (port === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const onward: Socket = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
    }
  }

  const server = createServer(pass).on('connect', tunnel);
  await new Promise<void>((resolve) => void server.listen(0, host ?? '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
