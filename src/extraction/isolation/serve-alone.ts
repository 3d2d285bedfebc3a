import { Socket } from 'node:net';
import type { Documents } from '../documents.ts';
import { forbidNetwork } from './forbid-network.ts';
import { serve } from './serve.ts';

/** Text may wait for the other side up to here: to stop after every piece would cost both a change of processes. */
const CONNECTION = { fd: 3, readable: true, writable: true, writableHighWaterMark: 1024 * 1024 };

/** To whoever started this process, by the one connection it was given; without it there is nothing to live for. */
export async function serveAlone(documents: Documents): Promise<void> {
  const connection = new Socket(CONNECTION);
  forbidNetwork();
  // Libraries leave promises behind that nobody waits for; what matters is thrown to whoever reads.
  process.on('unhandledRejection', () => {});
  connection.on('close', () => process.exit());
  connection.on('error', () => process.exit());
  await serve(connection, documents);
  process.exit();
}
