/** The one object that a path or an address on the command line names. */
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
  // A folder with one file in it lists like that file.
  if (isFolder(localPath(source.id) ?? target)) {
    throw new SeineError('usage', `${target} is a folder, and ${command} looks at one file.`, {
      hint: `For all that is in it: ${suggestCommand(['scan', target], flags)}`,
    });
  }
  for await (const [item] of source.list(FULL_RANGE, new AbortController().signal)) {
    if (item === undefined) continue;
    if (isObjectError(item)) throw item.error;
    // In a store the name is a beginning, and what it names stands before all that is longer.
    if (source.capabilities.remote && !target.endsWith(displayKey(item.key))) break;
    if (item.unreadable !== undefined)
      throw new SeineError('usage', `${target} can't be read: ${item.unreadable}.`);
    return { source, object: item };
  }
  throw new SeineError('not-found', `${target} is not there.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
