import { SeineError } from '../../base/errors.ts';
import { redactName } from '../../base/redact.ts';

export interface GcsTarget {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Parses `gs://BUCKET/PREFIX`. The prefix is taken literally, as in the provider's own tools. Includes every name that begins with it; a
 * trailing slash restricts it to a folder.
 */
export function parseGcsTarget(target: string): GcsTarget {
  const [, bucket = '', prefix = ''] = /^gs:\/\/([^/]*)\/?(.*)$/is.exec(target) ?? [];
  if (bucket === '') throw invalidTarget(`${target} names no bucket.`);
  if (!/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)) {
    throw invalidTarget(`"${redactName(bucket)}" cannot be the name of a bucket.`);
  }
  if (!prefix.isWellFormed()) throw invalidTarget(`The prefix of ${target} is not valid text.`);
  return { bucket, prefix };
}

function invalidTarget(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'Write gs://BUCKET, or gs://BUCKET/PREFIX for names that start with PREFIX.',
  });
}
