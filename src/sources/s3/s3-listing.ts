import { decodeEntities } from '../store/entities.ts';
import { parseSize } from '../store/listed-size.ts';
import type { S3Listed, S3Listing } from './s3-object.ts';

/**
 * Parses a listing response. Its structure is fixed, so the few elements needed are extracted directly; returns null if it is truncated
 * or has another structure.
 */
export function parseListing(xml: string): S3Listing | null {
  if (!/^\s*(<\?xml[^>]*>\s*)?<ListBucketResult[\s>]/.test(xml) || !/<\/ListBucketResult>\s*$/.test(xml))
    return null;
  const contents: S3Listed[] = [];
  let rest = '';
  let at = 0;
  for (let open = xml.indexOf(OPEN); open >= 0; open = xml.indexOf(OPEN, at)) {
    rest += xml.slice(at, open);
    const close = xml.indexOf(CLOSE, open);
    if (close < 0) return null;
    const listed = listedIn(xml.slice(open + OPEN.length, close));
    if (listed === null) return null;
    contents.push(listed);
    at = close + CLOSE.length;
  }
  rest += xml.slice(at);
  const truncated = elementIn(rest, 'IsTruncated');
  const count = elementIn(rest, 'KeyCount');
  // Without the count, an overlooked entry would go unnoticed.
  if (truncated === undefined || count === undefined) return null;
  return {
    Contents: contents,
    IsTruncated: truncated === 'true',
    KeyCount: Number(count),
    EncodingType: elementIn(rest, 'EncodingType'),
    NextContinuationToken: elementIn(rest, 'NextContinuationToken'),
  };
}

const OPEN = '<Contents>';
const CLOSE = '</Contents>';

function listedIn(entry: string): S3Listed | null {
  const key = elementIn(entry, 'Key');
  const size = elementIn(entry, 'Size');
  const modified = elementIn(entry, 'LastModified');
  if (key === undefined || size === undefined || modified === undefined) return null;
  const restored = entry.includes('<RestoreStatus>')
    ? {
        IsRestoreInProgress: elementIn(entry, 'IsRestoreInProgress') === 'true',
        RestoreExpiryDate: elementIn(entry, 'RestoreExpiryDate'),
      }
    : undefined;
  return {
    Key: key,
    Size: parseSize(size),
    LastModified: new Date(modified),
    ETag: elementIn(entry, 'ETag'),
    StorageClass: elementIn(entry, 'StorageClass'),
    RestoreStatus: restored,
  };
}

/** The text of the first element of that name; undefined if there is none, or its text is invalid XML. */
export function elementIn(xml: string, name: string): string | undefined {
  const open = xml.indexOf(`<${name}>`);
  const from = open + name.length + 2;
  const to = open < 0 ? -1 : xml.indexOf('<', from);
  return to < 0 || !xml.startsWith(`</${name}>`, to) ? undefined : decodeEntities(xml.slice(from, to));
}
