import type { BlobItem } from '@azure/storage-blob';
import { keyOf } from '../../base/key.ts';
import type { SourceObject } from '../source.ts';
import { identityOf } from '../store/store-client.ts';
import type { Named } from './ordered-pages.ts';

export function namedOf(item: BlobItem): Named {
  return { name: item.name, object: isFolder(item) ? null : objectOf(item) };
}

/**
 * Folders of a hierarchical namespace, and those that Hadoop's drivers made in a flat one, are listed as empty blobs
 * with a mark. There is nothing to read in them.
 */
function isFolder({ metadata = {}, properties }: BlobItem): boolean {
  if (properties.contentLength !== 0) return false;
  return Object.entries(metadata).some(([name, value]) => /^hdi_isfolder$/i.test(name) && value === 'true');
}

function objectOf({ name, properties }: BlobItem): SourceObject {
  const size = properties.contentLength ?? 0;
  const modified = properties.lastModified.getTime();
  const object = {
    key: keyOf(name),
    size,
    modified,
    identity: identityOf(tagIn(properties.etag), size, modified),
  };
  // Also while it is being brought back: until that has ended it can't be read.
  return properties.accessTier === 'Archive' ? { ...object, unreadable: 'archived' } : object;
}

/** A listing has the ETag without its quotes, some emulators with them. */
function tagIn(etag: string): string {
  return etag.replace(/^"|"$/g, '');
}
