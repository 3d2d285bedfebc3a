/**
 * The process that reads documents: one after another, for the detection thread that started it and that ends it when it takes too
 * long. It may neither write files, nor start processes, nor talk to anybody else; the system gives it no more memory than its ceiling.
 */
import { documentsHere } from '../documents.ts';
import { serveAlone } from './serve-alone.ts';

await serveAlone(documentsHere);
