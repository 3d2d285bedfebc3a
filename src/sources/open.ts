import { fileURLToPath } from 'node:url';
import { messageOf, SeineError } from '../base/errors.ts';
import type { Access } from './access.ts';
import { createFsSource } from './fs/fs-source.ts';
import type { ScopeOptions } from './scope-options.ts';
import type { Source } from './source.ts';

export type { Access };

type Open = (target: string, scope: ScopeOptions, access: Access) => Source | Promise<Source>;

/** By the scheme of the target. A source's module is loaded when it is opened; the provider's package with its first request. */
const schemes: readonly (readonly [RegExp, Open])[] = [
  [/^fs:/, (target, ...named) => createFsSource(pathIn(target.slice('fs:'.length)), ...named)],
  [/^file:\/\//i, (target, ...named) => createFsSource(pathOfUrl(target), ...named)],
  [/^s3:\/\//i, async (...named) => (await import('./s3/s3-source.ts')).createS3Source(...named)],
  [/^gs:\/\//i, openGcs],
  [/^az:\/\/|^https?:\/\/[^/]*\.blob\./i, openAzure],
  [/^sim:[a-z]+\/\d+\/\d+$/, async (target) => (await import('./sim/open-sim.ts')).openSimSource(target)],
];

async function openGcs(target: string, scope: ScopeOptions, access: Access): Promise<Source> {
  const { createGcsSource, prepareGcs } = await import('./gcs/gcs-source.ts');
  const source = createGcsSource(target, scope, access);
  await prepareGcs(access);
  return source;
}

async function openAzure(target: string, scope: ScopeOptions, access: Access): Promise<Source> {
  const { createAzureSource, prepareAzure } = await import('./azure/azure-source.ts');
  const source = createAzureSource(target, scope, access);
  await prepareAzure(target, access);
  return source;
}

/**
 * Opens the source that a target on the command line or in a scan names: a path, `s3://BUCKET/PREFIX` and the like, or a source's id.
 * Sends no request to a store.
 */
export async function openSource(
  target: string,
  scope: ScopeOptions = {},
  access: Access = {},
): Promise<Source> {
  const open = schemes.find(([pattern]) => pattern.test(target))?.[1];
  return open === undefined ? createFsSource(pathIn(target), scope, access) : open(target, scope, access);
}

/** By the source's id: probing a local source costs only CPU time of this machine. */
export function isLocal(id: string): boolean {
  return /^(fs|sim):/.test(id);
}

function pathIn(path: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(path)?.[1];
  if (scheme !== undefined) throw unknown(`Seine has no source for ${scheme}:// targets.`);
  if (path === '') throw unknown('The target is empty.');
  return path;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw unknown(`${url} is not the URL of a file on this machine: ${messageOf(error)}.`);
  }
}

function unknown(message: string): SeineError {
  return new SeineError('usage', message, {
    hint:
      'A target is a file or a folder (PATH, fs:PATH, file:///PATH) or a bucket (s3://BUCKET/PREFIX, ' +
      'gs://BUCKET/PREFIX, az://ACCOUNT/CONTAINER/PREFIX).',
  });
}
