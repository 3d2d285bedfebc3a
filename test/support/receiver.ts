/** A web server that records the requests it gets: the receiver of a webhook. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  readonly id: string;
  readonly body: { readonly scan?: { readonly id: string | number; readonly status: string } };
  readonly headers: IncomingHttpHeaders;
}

export interface Receiver {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** Its responses in order; the last one is repeated. */
  statuses: number[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const id = String(request.headers['seine-delivery']);
      deliveries.push({ id, body: JSON.parse(text), headers: request.headers });
      const { statuses } = receiver;
      response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/seine`,
    deliveries,
    statuses: [204],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
