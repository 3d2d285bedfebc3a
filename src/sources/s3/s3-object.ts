import { type Key, keyOf } from '../../base/key.ts';
import { ARCHIVED } from '../archived.ts';
import type { SourceObject } from '../source.ts';
import { textOf } from '../store/key-text.ts';
import { EndlessListing } from '../store/listing-progress.ts';
import { identityOf, type StorePage } from '../store/store-client.ts';
import { UnparsableAnswer } from './s3-requests.ts';

/** The used part of a listing response, with the provider's field names. */
export interface S3Listing {
  readonly Contents?: readonly S3Listed[] | undefined;
  readonly IsTruncated?: boolean | undefined;
  readonly KeyCount?: number | undefined;
  readonly EncodingType?: string | undefined;
  readonly NextContinuationToken?: string | undefined;
}

export interface S3Listed {
  readonly Key?: string | undefined;
  readonly Size?: number | undefined;
  readonly LastModified?: Date | undefined;
  readonly ETag?: string | undefined;
  readonly StorageClass?: string | undefined;
  readonly RestoreStatus?:
    | {
        readonly IsRestoreInProgress?: boolean | undefined;
        readonly RestoreExpiryDate?: Date | string | undefined;
      }
    | undefined;
}

/** Converts a response to objects. An invalid response must not be taken for an empty bucket, nor a part of a listing for the whole. */
export function pageOf(answer: S3Listing): StorePage {
  const contents = answer.Contents ?? [];
  const isComplete = (answer.KeyCount ?? contents.length) === contents.length;
  if (answer.IsTruncated === undefined || !isComplete) throw new UnparsableAnswer();
  if (answer.IsTruncated && contents.length === 0 && !answer.NextContinuationToken)
    throw new EndlessListing();
  const encoded = answer.EncodingType === 'url';
  const objects = contents.map((listed) => objectOf(listed, encoded));
  return { objects, next: answer.IsTruncated ? (answer.NextContinuationToken ?? '') : null };
}

/** Some stores allow such names; the SDK's requests cannot carry them. */
export const NOT_UTF8 = 'its name is not UTF-8';

function objectOf(listed: S3Listed, encoded: boolean): SourceObject {
  const name = listed.Key ?? '';
  const size = listed.Size ?? Number.NaN;
  const modified = listed.LastModified?.getTime() ?? null;
  const tag = listed.ETag?.replace(/^"|"$/g, '') ?? '';
  const key = encoded ? decodeKey(name) : keyOf(name);
  const object = { key, size, modified, identity: identityOf(tag, size, modified) };
  if (isArchived(listed)) return { ...object, unreadable: ARCHIVED };
  return !/[\x80-\xff]/.test(key) || textOf(key) !== null ? object : { ...object, unreadable: NOT_UTF8 };
}

/** As in HTML forms, a space is encoded as a plus. */
export function decodeKey(encoded: string): Key {
  const plain = encoded.replaceAll('+', ' ');
  if (!plain.includes('%')) return keyOf(plain);
  try {
    return keyOf(decodeURIComponent(plain));
  } catch {
    return decodeBytes(plain);
  }
}

/** Decodes to bytes instead of text, so that no name makes it fail. */
function decodeBytes(plain: string): Key {
  const bytes = plain.replace(/%([0-9a-f]{2})|[^%]+|%/gi, (part, hex: string | undefined) =>
    hex === undefined ? keyOf(part) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return bytes as Key;
}

const archives = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * Whether it must be restored before it can be read. The archive tiers of INTELLIGENT_TIERING are not part of a listing; they are only
 * detected when the object is read.
 */
function isArchived({ StorageClass: storageClass, RestoreStatus: restored }: S3Listed): boolean {
  if (storageClass === undefined || !archives.has(storageClass)) return false;
  return restored?.RestoreExpiryDate === undefined || restored.IsRestoreInProgress === true;
}
