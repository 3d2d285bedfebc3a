import type { DocumentItem } from '../../document-item.ts';

/** Prefixes the locations of an embedded document's items with `outer`. */
export async function* nestLocation(
  outer: string,
  pieces: AsyncIterable<DocumentItem>,
): AsyncGenerator<DocumentItem> {
  for await (const piece of pieces) {
    if (piece.is === 'entry') yield { ...piece, name: `${outer}/${piece.name}` };
    else yield { ...piece, place: piece.place === null ? outer : `${outer}/${piece.place}` };
  }
}
