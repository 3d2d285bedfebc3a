import { keyOf } from '../../base/key.ts';
import type { SourceObject } from '../source.ts';
import { parseSize } from '../store/listed-size.ts';
import { identityOf } from '../store/store-client.ts';
import { GcsError } from './gcs-http.ts';

/** Requests only the needed fields of objects. */
export const LIST_FIELDS = 'kind,items(name,size,generation,timeCreated),nextPageToken';

export interface Listing {
  readonly kind?: string;
  readonly items?: readonly Listed[];
  readonly nextPageToken?: string;
}

/** Numbers are strings in JSON. */
interface Listed {
  readonly name: string;
  readonly size?: string;
  readonly generation?: string;
  readonly timeCreated?: string;
}

/** Parses a listing. Any other document, such as a proxy's error page, must not be taken for an empty bucket. */
export function parseListing(answer: unknown): Listing {
  const { kind, items = [] } = (answer ?? {}) as { kind?: unknown; items?: unknown };
  const isListing = kind === 'storage#objects' && Array.isArray(items);
  if (isListing && items.every((item) => typeof item?.name === 'string')) return answer as Listing;
  throw new GcsError(200, '', 'the answer is no listing', undefined);
}

/**
 * For any storage class: archived objects can be read immediately, only at a higher price, so none is skipped as archived. The time is
 * that of the content; `updated` would also change with the metadata.
 */
export function objectOf({ name, size: bytes, generation = '', timeCreated }: Listed): SourceObject {
  const size = parseSize(bytes);
  const created = timeCreated === undefined ? Number.NaN : Date.parse(timeCreated);
  const modified = Number.isNaN(created) ? null : created;
  return { key: keyOf(name), size, modified, identity: identityOf(generation, size, modified) };
}
