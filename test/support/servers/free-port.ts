import { once } from 'node:events';
import { createServer } from 'node:net';

/** Of 127.0.0.1, free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('The system gives no port.');
  return address.port;
}
