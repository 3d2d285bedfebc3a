import { codeOf, messageOf, SeineError } from '../../base/errors.ts';
import { proxyLogin } from '../http/request.ts';
import type { StoreFailure } from './store-client.ts';

/** A connection that could not be established, or that broke. */
const CONNECTION_ERROR_CODES = new Set([
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
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'TimeoutError',
  'AbortError',
]);

/** The server's certificate is not trusted by this machine, or is for another name. */
const CERTIFICATE_ERROR =
  /^(ERR_TLS_CERT_|CERT_|UNABLE_TO_(GET|VERIFY)_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)/;
/** The response was not HTTP, or the proxy could not reach the server. */
const otherwise = /^(HPE_|UND_ERR_|ERR_PROXY_TUNNEL)/;

/** Maps a network error, whichever SDK passes it on; null if the error is of another kind. */
export function mapNetworkError(error: unknown, where: string): StoreFailure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof SeineError) return { error: at };
    const code = codeOf(at) ?? at.name;
    if (CERTIFICATE_ERROR.test(code)) return { error: untrusted(at, where) };
    if (code === 'ERR_PROXY_TUNNEL' && /\b407\b/.test(at.message)) return { error: proxyLogin() };
    if (
      CONNECTION_ERROR_CODES.has(code) ||
      otherwise.test(code) ||
      /aborted|socket hang up/.test(at.message)
    ) {
      return { error: unreachable(at, where) };
    }
  }
  return null;
}

function unreachable(error: Error, where: string): SeineError {
  const code = codeOf(error);
  const hint =
    code === 'ENOTFOUND'
      ? 'Check the name of the endpoint, and that this machine can resolve names.'
      : 'Check the endpoint, and that this machine may connect to it.';
  return new SeineError('unavailable', `${where} cannot be reached: ${messageOf(error)}.`, {
    hint,
    cause: error,
  });
}

function untrusted(error: Error, where: string): SeineError {
  const reason = messageOf(error).replace(/;.*|\.$/s, '');
  return new SeineError('unavailable', `The certificate of ${where} is not trusted: ${reason}.`, {
    hint: 'Check the endpoint. Where a proxy or a store has certificates of your own authority, set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority.',
    retry: false,
    cause: error,
  });
}
