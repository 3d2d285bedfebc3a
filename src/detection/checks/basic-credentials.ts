import { isPlaceholder } from './placeholder.ts';

const PAIR = /^[\x21-\x39\x3b-\x7e]{1,128}:[\x20-\x7e]{1,256}$/;
/** Examples of RFC 7617 and RFC 6749, and common ones of manuals. */
const PUBLISHED =
  /^(?:aladdin:open ?sesame|user(?:name)?:pass(?:word|wd)?|test:(?:123£?|test|password)|foo:bar|s6bhdrkqt3:\w+)$/i;

export type BasicCredentials = 'real' | 'published' | 'none';

/** RFC 7617: user and password with a colon between them, in base64. */
export function basicCredentials(base64: string): BasicCredentials {
  const pair = Buffer.from(base64, 'base64').toString('latin1');
  if (!PAIR.test(pair) || isPlaceholder(pair.slice(pair.indexOf(':') + 1))) return 'none';
  return PUBLISHED.test(pair) ? 'published' : 'real';
}
