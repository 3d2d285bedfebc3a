import type { Access } from '../access.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source } from '../source.ts';
import { createStoreSource } from '../store/store-source.ts';
import { createS3Client } from './s3-client.ts';
import { parseS3Target } from './s3-target.ts';

/** `s3://BUCKET/PREFIX`: every object whose key begins with the prefix. Nothing is asked of the store yet. */
export function createS3Source(target: string, scope: ScopeOptions, access: Access): Source {
  return createStoreSource(createS3Client(parseS3Target(target), access.settings ?? {}), scope, access);
}
