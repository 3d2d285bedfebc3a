import { SeineError } from '../../base/errors.ts';
import { redactName } from '../../base/redact.ts';

export interface S3Target {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Parses `s3://BUCKET/PREFIX`. The prefix is taken literally, as in the provider's own tools: `%20` is three characters and `?` is not
 * special. Includes every key that begins with it; a trailing slash restricts it to a folder.
 */
export function parseS3Target(target: string): S3Target {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(target) ?? [];
  if (bucket === '') throw invalidTarget(`${target} names no bucket.`);
  if (!/^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/i.test(bucket)) {
    throw invalidTarget(`"${redactName(bucket)}" cannot be the name of a bucket.`);
  }
  if (!prefix.isWellFormed()) throw invalidTarget(`The prefix of ${target} is not valid text.`);
  return { bucket, prefix };
}

function invalidTarget(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'Write s3://BUCKET, or s3://BUCKET/PREFIX for keys that start with PREFIX.',
  });
}
