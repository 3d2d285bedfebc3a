/** XML as office programs write it: one declaration, everything else on one line. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** One text for all of a list. */
export function each<T>(list: readonly T[], write: (item: T, index: number) => string): string {
  return list.map(write).join('');
}
