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

/** A listed blob: its name, properties and metadata. */
interface Blob {
  name: string;
  readonly properties: Map<string, string>;
  isFolder: boolean;
}

/** Parses `EnumerationResults > Blobs > Blob > Name | Properties > … | Metadata > …`, and `NextMarker`. */
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
  // Any other document, such as a proxy's error page, must not be taken for an empty container.
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
 * Folders of a hierarchical namespace, and folder markers that Hadoop's drivers create in a flat one, are listed as empty blobs with a
 * flag. They are skipped because they have no content.
 */
function namedOf({ name, properties, isFolder }: Blob): ListedName {
  const object = objectOf(name, properties);
  return { name, object: isFolder && object.size === 0 ? null : object };
}

function objectOf(name: string, properties: ReadonlyMap<string, string>): SourceObject {
  const size = parseSize(properties.get('Content-Length'));
  const changed = Date.parse(properties.get('Last-Modified') ?? '');
  const modified = Number.isNaN(changed) ? null : changed;
  // The service omits the quotes, but some emulators include them.
  const tag = (properties.get('Etag') ?? '').replace(/^"|"$/g, '');
  const object = { key: keyOf(name), size, modified, identity: identityOf(tag, size, modified) };
  // Also while it is being rehydrated: it cannot be read before that has completed.
  return properties.get('AccessTier') === 'Archive' ? { ...object, unreadable: ARCHIVED } : object;
}
