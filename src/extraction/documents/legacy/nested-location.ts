import type { DocumentItem } from '../../document-item.ts';

/** Prefixes the locations of an embedded document's items with `outer`. */
export async function* nestLocation(
  outer: string,
  items: AsyncIterable<DocumentItem>,
): AsyncGenerator<DocumentItem> {
  for await (const item of items) {
    if (item.is === 'entry') yield { ...item, name: `${outer}/${item.name}` };
    else yield { ...item, location: item.location === null ? outer : `${outer}/${item.location}` };
  }
}
