import { SeineError } from '../../base/errors.ts';
import type { StoreFailure } from '../store/store-client.ts';

/** A target's prefix as a folder to write into: `exports` becomes `exports/…`, not `exports-and-more`. */
export function folderPrefix(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** A source's error message would be about reading. */
export function writeDenied(target: string, rights: string): StoreFailure {
  const hint = `The credentials need ${rights} there.`;
  return { error: new SeineError('permission', `No permission to write to ${target}.`, { hint }) };
}
