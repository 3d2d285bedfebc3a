/** The one object named by a path or URL on the command line. */
import { statSync } from 'node:fs';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { settingsFor } from '../../config/source-config.ts';
import { openSource } from '../../sources/open.ts';
import { isObjectError, type Source, type SourceObject } from '../../sources/source.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { localPath } from '../output/source-path.ts';
import { suggestCommand } from '../suggest-command.ts';

export interface SingleObject {
  readonly source: Source;
  readonly object: SourceObject;
}

export async function openSingleObject(
  target: string,
  command: string,
  flags: CommonFlags,
): Promise<SingleObject> {
  const settings = settingsFor(configOf(flags), target)?.settings;
  const source = await openSource(target, { ignoreFile: false }, settings ? { settings } : {});
  // Listing a folder with one file gives the same result as listing that file.
  if (isFolder(localPath(source.id) ?? target)) {
    throw new SeineError('usage', `${target} is a folder; seine ${command} takes one file.`, {
      hint: `Scan the folder with: ${suggestCommand(['scan', target], flags)}`,
    });
  }
  for await (const [item] of source.list(FULL_RANGE, new AbortController().signal)) {
    if (item === undefined) continue;
    if (isObjectError(item)) throw item.error;
    // In an object store the target is a prefix. The object with exactly that name is listed first.
    if (source.capabilities.remote && !target.endsWith(displayKey(item.key))) break;
    if (item.unreadable !== undefined)
      throw new SeineError('usage', `${target} can't be read: ${item.unreadable}.`);
    return { source, object: item };
  }
  throw new SeineError('not-found', `${target} does not exist.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
