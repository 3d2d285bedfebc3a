import { isCellPath } from '../../extraction/embedded-path.ts';

/**
 * Where in its object a finding stands, to be written behind the object's key: `:12:5`, `#page 3:2:10`,
 * `!hr/pay.xlsx#Sheet1!C7`. Without a column only the line is told.
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

/** The part alone, with the sign that joins it to the key. */
export function formatEmbeddedPath(part: string | null): string {
  if (part === null) return '';
  return part.startsWith('#') ? part : `!${part}`;
}
