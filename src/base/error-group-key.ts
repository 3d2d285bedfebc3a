/**
 * Replaces the variable parts of an error message (names in quotes, paths, numbers, ids), so that errors
 * with the same cause get the same key and can be counted.
 */
export function errorGroupKey(reason: string): string {
  return reason
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;]+/gi, '…')
    .replace(/(?<![\w.])(?:\/[^\s,;:]+)+/g, '…')
    .replace(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, '#')
    .replace(/\b\d[\d.,]*\b/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}
