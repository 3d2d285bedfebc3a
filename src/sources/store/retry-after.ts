/** Parses a Retry-After header (RFC 9110, 10.2.3), seconds or a date, to milliseconds from now. Null if it is invalid. */
export function parseRetryAfterMs(header: string | null | undefined, now = Date.now()): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Stricter than Date.parse, which would accept "-5" as a year.
  if (!/^[A-Za-z]{3}/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
