import { closeSync, constants, openSync } from 'node:fs';

/**
 * Paths as byte strings, like keys: one character per byte, so that names which are not valid UTF-8 reach the system
 * unharmed. Here alone they become what Node wants.
 */
export type BytePath = string;

/** The longest path that one system call takes, with its closing zero. */
const PATH_MAX = 4096;
/** Node doesn't name it: a handle on a place, for which no right to read is needed. */
const O_PATH = 0o10000000;

const ascii = /^[\0-\x7f]*$/;

/**
 * Calls the system with the path. A longer path than the system takes is walked in stretches: a handle on a folder on
 * the way stands for the beginning (Linux only; elsewhere the call fails with ENAMETOOLONG).
 */
export function callWithPath<T>(path: BytePath, call: (path: string | Buffer) => T): T {
  if (path.length < PATH_MAX || process.platform !== 'linux') return call(native(path));
  // A name has at most 255 bytes, so there is a '/' before this one.
  const cut = path.lastIndexOf('/', PATH_MAX - 1);
  const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;
  const handle = openSync(native(path.slice(0, cut)), flags);
  try {
    return callWithPath(`/proc/self/fd/${handle}${path.slice(cut)}`, call);
  } finally {
    closeSync(handle);
  }
}

function native(path: BytePath): string | Buffer {
  return ascii.test(path) ? path : Buffer.from(path, 'latin1');
}
