import { fileURLToPath } from 'node:url';
import { messageOf, SeineError } from '../base/errors.ts';
import { createFsSource } from './fs/fs-source.ts';
import type { Gate } from './gate.ts';
import type { ScopeOptions } from './scope-options.ts';
import type { SourceSettings } from './settings.ts';
import type { Source } from './source.ts';

/** How a source is reached; a local one needs nothing of it. */
export interface Access {
  readonly settings?: SourceSettings;
  readonly gate?: Gate;
}

/** The source that a target on the command line or in a scan names: a path, `fs:PATH`, `file://PATH`; also a source's own id. */
export function openSource(target: string, scope: ScopeOptions = {}, _access: Access = {}): Source {
  return createFsSource(pathIn(target), scope);
}

function pathIn(target: string): string {
  if (target.startsWith('file://')) return pathOfUrl(target);
  const path = target.startsWith('fs:') ? target.slice('fs:'.length) : target;
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
    hint: 'A target is a file or a folder: PATH, fs:PATH or file:///PATH.',
  });
}
