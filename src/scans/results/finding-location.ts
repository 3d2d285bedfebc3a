import { isCellPath } from '../../extraction/embedded-path.ts';

/**
 * The position of a finding in its object, to be appended to the object's key: `:12:5`, `#page 3:2:10`,
 * `!hr/pay.xlsx#Sheet1!C7`. Without a column only the line is included.
 */
export function formatLocation({ part, line, column }: LocationInObject): string {
  const inside = formatEmbeddedPath(part);
  if (part !== null && isCellPath(part)) return inside;
  return column === undefined ? `${inside}:${line}` : `${inside}:${line}:${column}`;
}

interface LocationInObject {
  readonly part: string | null;
  readonly line: number;
  readonly column?: number;
}

/** The part alone, with the separator that joins it to the key. */
export function formatEmbeddedPath(part: string | null): string {
  if (part === null) return '';
  return part.startsWith('#') ? part : `!${part}`;
}
