import { codeOf, type ErrorKind, messageOf, SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { BytePath } from './byte-path.ts';

/** Maps system error codes to error kinds. Any other code: the disk or the share has a problem. */
const kinds: Readonly<Record<string, ErrorKind>> = {
  EACCES: 'permission',
  EPERM: 'permission',
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  // Raised when a link or a socket has replaced the listed file.
  ELOOP: 'changed',
  ENXIO: 'changed',
  ENAMETOOLONG: 'limit',
  // A zero byte in the path.
  ERR_INVALID_ARG_VALUE: 'usage',
};

/** Exhausted resources of this process: unrelated to the object, which must not be marked as failed. */
const exhausted = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

export function mapFsError(error: unknown, path: BytePath): SeineError {
  if (error instanceof SeineError) return error;
  const code = codeOf(error) ?? '';
  const shown = displayKey(path as Key);
  if (exhausted.has(code)) {
    return new SeineError('limit', `The system gave no file handle or memory for ${shown} (${code}).`, {
      hint: 'Raise the limit of open files (ulimit -n) or run fewer workers on this machine.',
      retry: true,
      cause: error,
    });
  }
  const kind = kinds[code] ?? 'unavailable';
  return new SeineError(kind, sentence(kind, shown, error), { ...hintFor(kind), cause: error });
}

/** Whether the machine rather than the object is at fault: then the listing stops and is retried later. */
export function isExhaustion(error: unknown): boolean {
  return exhausted.has(codeOf(error) ?? '');
}

export function changed(path: BytePath): SeineError {
  return new SeineError('changed', sentence('changed', displayKey(path as Key), null));
}

function sentence(kind: ErrorKind, shown: string, error: unknown): string {
  if (kind === 'permission') return `No permission to read ${shown}.`;
  if (kind === 'not-found') return `${shown} does not exist.`;
  if (kind === 'changed') return `${shown} is no longer what was listed.`;
  if (kind === 'limit') return `The path is longer than the system takes: ${shown}.`;
  return `${shown} could not be read: ${messageOf(error)}.`;
}

function hintFor(kind: ErrorKind): { hint?: string } {
  if (kind === 'permission') return { hint: 'Run as a user who may read it, or exclude it.' };
  if (kind === 'unavailable') return { hint: 'Check that the disk or the share is connected and healthy.' };
  return {};
}
