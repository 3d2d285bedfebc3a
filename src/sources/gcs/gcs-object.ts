import { keyOf } from '../../base/key.ts';
import type { SourceObject } from '../source.ts';
import { identityOf } from '../store/store-client.ts';

/** Of an object, only what is needed; the service then sends no more. */
export const LIST_FIELDS = 'items(name,size,generation,timeCreated),nextPageToken';

export interface Listing {
  readonly items?: readonly Listed[];
  readonly nextPageToken?: string;
}

/** Numbers come as text. */
interface Listed {
  readonly name: string;
  readonly size?: string;
  readonly generation?: string;
  readonly timeCreated?: string;
}

/**
 * Whatever its class: what is in the archive here can be read at once, it only costs more. So it is never skipped as archived.
 * The time is that of the content; `updated` would be that of its description, too.
 */
export function objectOf({ name, size: bytes, generation = '', timeCreated }: Listed): SourceObject {
  const size = Number(bytes ?? 0);
  const created = timeCreated === undefined ? Number.NaN : Date.parse(timeCreated);
  const modified = Number.isNaN(created) ? null : created;
  return { key: keyOf(name), size, modified, identity: identityOf(generation, size, modified) };
}
