import { keyOf } from '../../base/key.ts';
import { ARCHIVED } from '../archived.ts';
import type { SourceObject } from '../source.ts';
import { parseSize } from '../store/listed-size.ts';
import { identityOf } from '../store/store-client.ts';
import { AzureError } from './azure-http.ts';
import type { ListedName } from './ordered-pages.ts';
import { parseXml } from './xml.ts';

export interface Listing {
  readonly named: readonly ListedName[];
  readonly marker: string | null;
}

/** What is said of one blob: its name, its properties and its metadata, by their names there. */
interface Blob {
  name: string;
  readonly properties: Map<string, string>;
  isFolder: boolean;
}

/** `EnumerationResults > Blobs > Blob > Name | Properties > … | Metadata > …`, and `NextMarker`. */
export function parseListing(xml: string): Listing {
  const named: ListedName[] = [];
  let marker: string | null = null;
  let blob = emptyBlob();
  let isListing = false;
  const isWhole = parseXml(xml, ({ path, attributes, text }) => {
    const name = path.at(-1)!;
    if (path.length === 2 && path[0] === 'EnumerationResults' && name === 'Blobs') isListing = true;
    else if (path.length === 2 && name === 'NextMarker') marker = text === '' ? null : text;
    else if (path.length === 3 && name === 'Blob') {
      named.push(namedOf(blob));
      blob = emptyBlob();
    } else if (path.length === 4 && name === 'Name') {
      blob.name = /\bEncoded="true"/.test(attributes) ? unescaped(text) : text;
    } else if (path.length === 5 && path[3] === 'Properties') blob.properties.set(name, text);
    else if (path.length === 5 && path[3] === 'Metadata') {
      blob.isFolder ||= /^hdi_isfolder$/i.test(name) && text === 'true';
    }
  });
  if (!isWhole) throw new AzureError(200, '', 'the listing was cut off');
  // Anything else, such as the page of a proxy, must not pass for an empty container.
  if (!isListing || named.some(({ name }) => name === ''))
    throw new AzureError(200, '', 'the answer is no listing');
  return { named, marker };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AzureError(200, '', 'the listing holds a name that cannot be decoded');
  }
}

function emptyBlob(): Blob {
  return { name: '', properties: new Map(), isFolder: false };
}

/**
 * Folders of a hierarchical namespace, and those that Hadoop's drivers made in a flat one, are listed as empty blobs
 * with a mark. There is nothing to read in them.
 */
function namedOf({ name, properties, isFolder }: Blob): ListedName {
  const object = objectOf(name, properties);
  return { name, object: isFolder && object.size === 0 ? null : object };
}

function objectOf(name: string, properties: ReadonlyMap<string, string>): SourceObject {
  const size = parseSize(properties.get('Content-Length'));
  const changed = Date.parse(properties.get('Last-Modified') ?? '');
  const modified = Number.isNaN(changed) ? null : changed;
  // Without its quotes here, with them in some emulators.
  const tag = (properties.get('Etag') ?? '').replace(/^"|"$/g, '');
  const object = { key: keyOf(name), size, modified, identity: identityOf(tag, size, modified) };
  // Also while it is being brought back: until that has ended it can't be read.
  return properties.get('AccessTier') === 'Archive' ? { ...object, unreadable: ARCHIVED } : object;
}
