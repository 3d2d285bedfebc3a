import type { _Object as Listed, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { SeineError } from '../../base/errors.ts';
import { type Key, keyOf } from '../../base/key.ts';
import type { SourceObject } from '../source.ts';
import { textOf } from '../store/key-text.ts';
import { identityOf, type StorePage } from '../store/store-client.ts';

/** The objects of an answer. An empty one must not pass for an empty bucket, nor a part of a listing for the whole. */
export function pageOf(answer: ListObjectsV2CommandOutput): StorePage {
  const contents = answer.Contents ?? [];
  if (answer.IsTruncated === undefined || (answer.KeyCount ?? contents.length) !== contents.length) {
    throw new SeineError(
      'unavailable',
      'The store answered with something that is no listing, or a part of one.',
      {
        hint: 'Check that the endpoint is that of an S3 server.',
      },
    );
  }
  const encoded = answer.EncodingType === 'url';
  const objects = contents.map((listed) => objectOf(listed, encoded));
  return { objects, next: answer.IsTruncated ? (answer.NextContinuationToken ?? '') : null };
}

function objectOf(listed: Listed, encoded: boolean): SourceObject {
  const name = listed.Key ?? '';
  const size = listed.Size ?? 0;
  const modified = listed.LastModified?.getTime() ?? null;
  const tag = listed.ETag?.replace(/^"|"$/g, '') ?? '';
  const key = encoded ? decodeKey(name) : keyOf(name);
  const object = { key, size, modified, identity: identityOf(tag, size, modified) };
  if (isArchived(listed)) return { ...object, unreadable: 'archived' };
  // Some stores take such names, but none can be asked for one.
  return !/[\x80-\xff]/.test(key) || textOf(key) !== null
    ? object
    : { ...object, unreadable: 'its name is not UTF-8' };
}

/** As in forms: a space is a plus. To bytes, not to text, so that no name can make it fail. */
export function decodeKey(encoded: string): Key {
  if (!/[%+]/.test(encoded)) return keyOf(encoded);
  const plain = encoded.replaceAll('+', ' ');
  const bytes = plain.replace(/%([0-9a-f]{2})|[^%]+|%/gi, (part, hex: string | undefined) =>
    hex === undefined ? keyOf(part) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return bytes as Key;
}

const archives = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * Whether it must be restored before it can be read. The archive tiers of INTELLIGENT_TIERING are not told by a listing, only
 * when it is read.
 */
function isArchived({ StorageClass: storageClass, RestoreStatus: restored }: Listed): boolean {
  if (storageClass === undefined || !archives.has(storageClass)) return false;
  return restored?.RestoreExpiryDate === undefined || restored.IsRestoreInProgress === true;
}
