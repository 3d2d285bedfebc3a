import { SeineError } from '../../base/errors.ts';
import type { Access } from '../access.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source } from '../source.ts';
import { createStoreSource } from '../store/store-source.ts';
import { createS3Client } from './s3-client.ts';
import { parseS3Target } from './s3-target.ts';

/** `s3://BUCKET/PREFIX`: every object whose key begins with the prefix. Sends no request. */
export function createS3Source(target: string, scope: ScopeOptions, access: Access): Source {
  const { bucket, prefix } = parseS3Target(target);
  refuseDirectoryBucket(bucket);
  return createStoreSource(createS3Client({ bucket, prefix }, access.settings ?? {}), scope, access);
}

/** Recognises directory buckets by their reserved suffix. Their listings are unordered, but ranges and shards require order. */
function refuseDirectoryBucket(bucket: string): void {
  if (!bucket.endsWith('--x-s3')) return;
  throw new SeineError(
    'usage',
    `${bucket} is a directory bucket (S3 Express One Zone), which Seine cannot scan.`,
    {
      hint: 'Directory buckets list their keys in no order. Copy the objects to a general purpose bucket and scan that.',
    },
  );
}
