import { SeineError } from '../../base/errors.ts';
import type { Access } from '../access.ts';
import { parseAzureTarget } from '../azure/azure-target.ts';
import { parseGcsTarget } from '../gcs/gcs-target.ts';
import { parseS3Target } from '../s3/s3-target.ts';
import { createAzureMultipart } from './azure-writer.ts';
import { createFolderWriter } from './folder-writer.ts';
import { createGcsMultipart } from './gcs-writer.ts';
import { createMultipartWriter } from './multipart-writer.ts';
import { createS3Multipart } from './s3-writer.ts';
import type { ObjectWriter } from './writer.ts';

/** The writer of a target: a folder, `fs:PATH`, `s3://…`, `gs://…`, `az://…`. Sends no request. */
export function openWriter(target: string, access: Access = {}): ObjectWriter {
  const settings = access.settings ?? {};
  switch (checkWritable(target)) {
    case 's3':
      return createMultipartWriter(createS3Multipart(target, settings), access);
    case 'gs':
      return createMultipartWriter(createGcsMultipart(target, settings), access);
    case 'az':
      return createMultipartWriter(createAzureMultipart(target, settings), access);
    default:
      return createFolderWriter(folderOf(target));
  }
}

/** Throws if nothing can be written there with any settings. Returns the scheme, or null for a folder. */
export function checkWritable(target: string): 's3' | 'gs' | 'az' | null {
  const scheme = schemeOf(target);
  if (scheme === null) folderOf(target);
  else if (scheme === 's3') parseS3Target(target);
  else if (scheme === 'gs') parseGcsTarget(target);
  else if (scheme === 'az') parseAzureTarget(target);
  else throw unknown(`Seine cannot write to ${scheme}:// targets.`);
  return scheme;
}

export function folderOf(target: string): string {
  const path = target.startsWith('fs:') ? target.slice('fs:'.length) : target;
  if (path === '') throw unknown('The target is empty.');
  return path;
}

function schemeOf(target: string): string | null {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(target)?.[1]?.toLowerCase() ?? null;
}

function unknown(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'An export target is a folder, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://ACCOUNT/CONTAINER/PREFIX.',
  });
}
