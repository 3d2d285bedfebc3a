/**
 * The process that reads documents: one after another, for the detection thread that started it and that ends it when it takes too
 * long. It may read the installation and nothing else: no other files, no writing, no processes, threads, connections or signals
 * (start-command.ts, restrict-process.ts); the system gives it no more memory than its ceiling.
 */
import { inProcessReaders } from '../document-readers.ts';
import { serveAlone } from './serve-alone.ts';

await serveAlone(inProcessReaders);
