/** A thread with a scanner of its own. It takes the next range or the next files by a counter that all threads share. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createScanner, LEAD_IN, LEAD_OUT } from '../../src/detection/scanner.ts';
import { USUAL } from './detectors.ts';
import { PLAIN_TEXT } from './scan-file.ts';

/** `next`: the number of the next range or batch of files, shared by all threads. */
export type Task =
  | { readonly kind: 'ranges'; readonly path: string; readonly next: SharedArrayBuffer }
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly next: SharedArrayBuffer };

export const RANGE = 4 * 2 ** 20;
const BATCH = 64;
const READ = 256 * 1024;

const scanner = createScanner(USUAL);
const buffer = Buffer.alloc(READ);

parentPort?.on('message', (task: Task) => {
  parentPort!.postMessage(task.kind === 'ranges' ? scanRanges(task) : scanFiles(task));
});
parentPort?.postMessage(0);

/** The number of spans that start in the ranges this thread got. */
function scanRanges({ path, next }: Extract<Task, { kind: 'ranges' }>): number {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const counter = new Int32Array(next);
  let found = 0;
  for (;;) {
    const from = Atomics.add(counter, 0, 1) * RANGE;
    if (from >= size) break;
    found += scanRange(file, from, Math.min(size, from + RANGE), size);
  }
  closeSync(file);
  return found;
}

function scanRange(file: number, from: number, to: number, size: number): number {
  const begin = Math.max(0, from - LEAD_IN);
  const end = Math.min(size, to + LEAD_OUT);
  let found = 0;
  scanner.begin(
    PLAIN_TEXT,
    ({ count, start }) => {
      for (let n = 0; n < count; n++) if (start[n]! >= from && start[n]! < to) found++;
    },
    begin,
  );
  for (let at = begin; at < end; ) {
    const read = readSync(file, buffer, 0, Math.min(READ, end - at), at);
    scanner.push(buffer.subarray(0, read));
    at += read;
  }
  scanner.end();
  return found;
}

function scanFiles({ paths, next }: Extract<Task, { kind: 'files' }>): number {
  const counter = new Int32Array(next);
  let found = 0;
  for (;;) {
    const from = Atomics.add(counter, 0, 1) * BATCH;
    if (from >= paths.length) return found;
    for (const path of paths.slice(from, from + BATCH)) found += scanSmallFile(path);
  }
}

/** They fit into the buffer. */
function scanSmallFile(path: string): number {
  let found = 0;
  const file = openSync(path, 'r');
  const read = readSync(file, buffer);
  closeSync(file);
  scanner.begin(PLAIN_TEXT, ({ count }) => {
    found += count;
  });
  scanner.push(buffer.subarray(0, read));
  scanner.end();
  return found;
}
