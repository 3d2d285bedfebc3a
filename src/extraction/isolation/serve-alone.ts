import { Socket } from 'node:net';
import type { DocumentReaders } from '../document-readers.ts';
import { restrictProcess } from './restrict-process.ts';
import { serve } from './serve.ts';

/** Text may wait for the other side up to here: stopping after each chunk would cost a context switch on both sides. */
const CONNECTION = { fd: 3, readable: true, writable: true, writableHighWaterMark: 1024 * 1024 };

/** Serves the thread that started this process over the inherited connection, and exits when it is closed. */
export async function serveAlone(documents: DocumentReaders): Promise<void> {
  const connection = new Socket(CONNECTION);
  restrictProcess();
  // Libraries leave rejected promises unhandled; relevant errors are thrown to the caller of the reader.
  process.on('unhandledRejection', () => {});
  // A service manager signals every process of a service. Only the main process decides when the document is aborted.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  connection.on('close', () => process.exit());
  connection.on('error', () => process.exit());
  await serve(connection, documents);
  process.exit();
}
