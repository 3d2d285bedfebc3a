/** Detects passwords in URLs and redacts them. */

/** Query parameters that hold secrets. */
const SECRET_PARAMETERS =
  /[?&](?:password|passwd|pass|pwd|sslpassword|secret|client_secret|token|access_token|sig|signature|key|api_?key|auth)=[^&#]+/i;

/** `https://user@host` counts as a password as well: tokens are often written that way. */
export function hasPassword(address: string): boolean {
  const user = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(address)?.[1] ?? '';
  if (/^https?:/i.test(address) && user.replace(':', '') !== '') return true;
  return /:./.test(user) || SECRET_PARAMETERS.test(address);
}

export const HIDDEN = '•••';

/** Replaces passwords with dots; a URL that does not parse is replaced completely. */
export function redactPassword(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^:/?#@]*)(:[^/?#@]*)?@)?([^/?#@]*)([^?#@]*)(\?[^#@]*)?$/i.exec(
    address,
  );
  if (!match) return HIDDEN;
  const [, scheme, user, password, host, path, query] = match;
  const name = /^https?:/i.test(scheme!) ? HIDDEN : user;
  const login = user === undefined ? '' : `${name}${password ? `:${HIDDEN}` : ''}@`;
  return `${scheme}${login}${host}${path}${query ? hideParameters(query) : ''}`;
}

function hideParameters(query: string): string {
  return query.replace(/([?&][^=&]*=)[^&]*/g, (parameter, name) =>
    SECRET_PARAMETERS.test(parameter) ? `${name}${HIDDEN}` : parameter,
  );
}
