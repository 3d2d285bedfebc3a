import { closeSync, constants, openSync } from 'node:fs';

/**
 * Paths as byte strings, like keys: one character per byte, so that names that are not valid UTF-8 are preserved. Only this file converts
 * them for Node.
 */
export type BytePath = string;

/** The longest path of a system call, including the terminating zero. */
const PATH_MAX = 4096;
/** Not exported by Node: opens a handle that needs no read permission. */
const O_PATH = 0o10000000;

const ascii = /^[\0-\x7f]*$/;

/**
 * Calls the system with the path. A path longer than PATH_MAX is resolved in pieces: a handle on an intermediate folder replaces its
 * beginning (Linux only; elsewhere the call fails with ENAMETOOLONG).
 */
export function callWithPath<T>(path: BytePath, call: (path: string | Buffer) => T): T {
  if (path.length < PATH_MAX || process.platform !== 'linux') return call(native(path));
  // A name has at most 255 bytes, so there is a '/' before this position.
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
