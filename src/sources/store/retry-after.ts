/** Milliseconds to wait, from a Retry-After header: seconds or a date. Null when it says nothing of use. */
export function parseRetryAfterMs(header: string | null | undefined, now = Date.now()): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Not whatever Date takes: "-5" would be a year.
  if (!/^[A-Za-z]{3}/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
