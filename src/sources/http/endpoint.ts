import { SeineError } from '../../base/errors.ts';

/**
 * Normalises a server's address from the settings or the environment, without trailing slashes. Endpoints are shown in messages and are
 * part of quota names, so they must not contain secrets. `hint`: the expected format.
 */
export function checkedEndpoint(text: string, hint: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new SeineError('usage', 'The endpoint is not a web address.', { hint });
  }
  const { username, password, search, hash } = url;
  if (`${username}${password}${search}${hash}` === '' && !/[?#]/.test(text)) return text.replace(/\/+$/, '');
  const message = `The endpoint at ${url.host} has a user, a password or a query in it, and endpoints are shown.`;
  throw new SeineError('usage', message, { hint: `${hint} Give credentials apart from it.` });
}
