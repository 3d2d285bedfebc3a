import { codeOf, messageOf, SeineError } from '../../base/errors.ts';
import type { StoreFailure } from './store-client.ts';

/** A connection that could not be made, or that broke. */
const broken = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EPROTO',
  'HPE_INVALID_CONSTANT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'TimeoutError',
  'AbortError',
]);

/** What the network has to say, whatever SDK passes it on; null when the error is of another kind. */
export function networkFailure(error: unknown, where: string): StoreFailure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof SeineError) return { error: at };
    const code = codeOf(at) ?? at.name;
    if (broken.has(code) || code.startsWith('UND_ERR_') || /aborted|socket hang up/.test(at.message)) {
      return { error: unreachable(at, where) };
    }
  }
  return null;
}

function unreachable(error: Error, where: string): SeineError {
  const code = codeOf(error);
  const hint =
    code === 'ENOTFOUND'
      ? 'Check the name of the endpoint, and that this machine can look up names.'
      : 'Check the endpoint, and that this machine may connect to it.';
  return new SeineError('unavailable', `${where} cannot be reached: ${messageOf(error)}.`, {
    hint,
    cause: error,
  });
}
