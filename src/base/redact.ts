/**
 * Removes credentials from text that is displayed, logged or stored: a rejected target, the message of a
 * library, the body of a response. Every message passes through here (errors.ts), because callers can't
 * know what a library quotes.
 */
const REDACTED = '•••';

/** Lengths are bounded, so that a hostile text costs no more than its length. Names of parameters whose value is a password, a token or a signature; also in connection strings (`AccountKey=…;`). */
const NAMES =
  'password|passwd|pass|pwd|sslpassword|secret|client_secret|token|access_token|refresh_token|id_token|sig|signature|key|api[_-]?key|auth' +
  '|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|awsaccesskeyid|accountkey|sharedaccesskey';

const RULES: readonly (readonly [RegExp, string])[] = [
  // scheme://user:password@, where a password may contain slashes, as S3 keys do. A number up to a slash is
  // a port; the second is our example.
  [
    /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?!user:password@)[^\s:/?#@"'<>]{0,200}:(?!\d{1,5}(?:[/?#]|$))[^\s@"'<>]{1,2000}@/gi,
    `$1${REDACTED}@`,
  ],
  [/\b(https?:\/\/)[^\s:/?#@"'<>]{1,2000}@/gi, `$1${REDACTED}@`],
  [new RegExp(`([?&;]|^|\\s)((?:${NAMES})=)[^\\s&;#"'<>]+`, 'gi'), `$1$2${REDACTED}`],
  [/\b(SharedAccessSignature=)[^\s;"'<>]+/gi, `$1${REDACTED}`],
  [
    /\b((?:proxy-)?authorization: *(?:bearer|basic|aws4-hmac-sha256|sharedkey)? *)[^\s"'<>][^\r\n"'<>]*/gi,
    `$1${REDACTED}`,
  ],
];

export function redactCredentials(text: string): string {
  // Fast path: most messages contain none.
  if (!/:\/\/|=|authorization/i.test(text)) return text;
  return RULES.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}

/**
 * Redacts a rejected name of a target. One with `:` or `@` contains credentials before the name (or the
 * part of them up to a slash), without the scheme that would identify them.
 */
export function redactName(name: string): string {
  return /[:@]/.test(name) ? REDACTED : name;
}
