import { pathToFileURL } from 'node:url';
import { type Key, keyBytes, maskedKey } from '../../../base/key.ts';
import { localPath } from '../source-path.ts';

/**
 * A key as a relative URI reference (RFC 3986), encoded byte by byte to keep names that are not UTF-8. Colons are always encoded (the
 * first segment would be read as a scheme), and so are leading slashes (they would escape the base URI).
 */
export function keyUri(key: Key): string {
  let uri = '';
  let atStart = true;
  for (const byte of keyBytes(maskedKey(key))) {
    const c = String.fromCharCode(byte);
    const plain = c === '/' ? !atStart : /[\w.~!$&'()*+,;=@-]/.test(c);
    uri += plain ? c : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    atStart &&= c === '/';
  }
  return uri;
}

/** The source as an absolute URI that ends with a slash, as relative references need it; null if it has no URI. */
export function baseUri(source: string): string | null {
  try {
    const path = localPath(source);
    const url = path === null ? new URL(source) : pathToFileURL(path);
    url.search = '';
    url.hash = '';
    return url.href.endsWith('/') ? url.href : `${url.href}/`;
  } catch {
    return null;
  }
}
