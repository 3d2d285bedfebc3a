/**
 * A reason without what is particular to one case, so that equal causes look equal: names in quotes, paths, numbers and ids are
 * replaced. What is left tells the kind of failure; the count beside it tells how often.
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
