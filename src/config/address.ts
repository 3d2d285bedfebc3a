/** Passwords in addresses: found, and left out of what is shown. */

/** Parameters that are passwords under other names. */
const SECRET_PARAMETERS =
  /[?&](?:password|passwd|pass|pwd|sslpassword|secret|client_secret|token|access_token|sig|signature|key|api_?key|auth)=[^&#]+/i;

/** `https://user@host` holds one as well: tokens are often written so. */
export function hasPassword(address: string): boolean {
  const user = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(address)?.[1] ?? '';
  if (/^https?:/i.test(address) && user.replace(':', '') !== '') return true;
  return /:./.test(user) || SECRET_PARAMETERS.test(address);
}

export const HIDDEN = '•••';

/** With dots for passwords; only dots for what is not understood well enough to be sure. */
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
