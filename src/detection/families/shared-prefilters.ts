/**
 * Every start filter adds cost to every byte, so short prefixes that fit no common filter are merged: one prefilter for several
 * detectors, each of which rejects quickly what is not its own.
 */

/** After a scheme, the port of PostgreSQL or any port, and the beginning of a Telegram token. */
export const COLON = ':(?://|5432|[*]:[A-Za-z0-9_*]|AA[A-Za-z0-9_-])';

/** JSON names that indicate a login or a key. */
export const JSON_NAME = '"(?:auth|kty)":';

/** $1$, $2b$, $5$, $6$, $y$j, $apr1$. */
export const DOLLAR: readonly string[] = [String.raw`\$2[aby]\$`, String.raw`\$[156y]\$`, String.raw`\$apr1`];
