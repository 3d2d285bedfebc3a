/**
 * The reader process: reads one document after another for the detection thread that started it and that kills it if it takes too long.
 * It may read the installation and nothing else: no other files, no writing, no processes, threads, connections or signals
 * (start-command.ts, restrict-process.ts); the system limits its memory.
 */
import { inProcessReaders } from '../document-readers.ts';
import { serveAlone } from './serve-alone.ts';

await serveAlone(inProcessReaders);
