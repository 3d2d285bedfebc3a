/**
 * Every filter of the pass costs a little at every byte, so short beginnings that nothing else shares are put together: one anchor
 * for several detectors, each of which refuses at once what is not its own.
 */

/** Behind a scheme, the port of PostgreSQL, and the beginning of a Telegram token. */
export const COLON = ':(?://|5432|AA[A-Za-z0-9_-])';

/** The names of JSON that tell of a login and of a key. */
export const JSON_NAME = '"(?:auth|kty)":';

/** $1$, $2b$, $5$, $6$, $y$j, $apr1$. */
export const DOLLAR: readonly string[] = [String.raw`\$2[aby]\$`, String.raw`\$[156y]\$`, String.raw`\$apr1`];
