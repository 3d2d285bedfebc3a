/** `seine inspect`: looks at one file without a database, and says why. */
import { statSync } from 'node:fs';
import { openSecret } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { keyOf } from '../base/key.ts';
import { EVERYTHING } from '../base/range.ts';
import type { Score } from '../governance/score.ts';
import { Inspector } from '../scans/detect/inspector.ts';
import type { Inspection } from '../scans/inspection.ts';
import { openSource } from '../sources/open.ts';
import { isObjectError, type Source, type SourceObject } from '../sources/source.ts';
import { commandAgain } from './again.ts';
import { EXIT } from './exit-code.ts';
import { type CommonFlags, configOf } from './options.ts';
import { renderInspection } from './output/inspection.ts';
import { lookOf } from './output/look.ts';
import { localPath } from './output/source-path.ts';
import { readRules } from './scan-request.ts';

export async function inspectFile(
  file: string,
  flags: CommonFlags & { readonly rules?: string },
): Promise<number> {
  const { source, object } = file === '-' ? standardInput() : await theFile(file, flags);
  const rules = readRules(flags.rules);
  const secret = openSecret(configOf(flags));
  const inspector = new Inspector(source, { rules, secret, keepEach: Number.MAX_SAFE_INTEGER });
  const inspection = await inspector.inspect(object, new AbortController().signal, () => {});
  const score = inspection.tier === null ? null : inspector.explainScore();
  process.stdout.write(
    flags.json
      ? asJson(file, inspection, score)
      : renderInspection(file, inspection, score, lookOf(process.stdout, process.env, flags)),
  );
  return inspection.outcome === 'scanned' ? EXIT.done : EXIT.error;
}

async function theFile(file: string, flags: CommonFlags): Promise<{ source: Source; object: SourceObject }> {
  const source = await openSource(file, { ignoreFile: false });
  // A folder with one file in it lists like that file.
  if (isFolder(localPath(source.id) ?? file)) {
    throw new SeineError('usage', `${file} is a folder, and inspect looks at one file.`, {
      hint: `For all that is in it: ${commandAgain(['scan', file], flags)}`,
    });
  }
  for await (const [item] of source.list(EVERYTHING, new AbortController().signal)) {
    if (item === undefined) continue;
    if (isObjectError(item)) throw item.error;
    if (item.unreadable !== undefined)
      throw new SeineError('usage', `${file} can't be inspected: ${item.unreadable}.`);
    return { source, object: item };
  }
  throw new SeineError('changed', `${file} is gone.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A source of one object whose bytes come once. */
function standardInput(): { source: Source; object: SourceObject } {
  const object: SourceObject = {
    key: keyOf('stdin'),
    size: Number.MAX_SAFE_INTEGER,
    modified: null,
    identity: '',
  };
  const source: Source = {
    id: 'stdin:',
    capabilities: { rangeRead: false, splittable: false, remote: false },
    async *list() {
      yield [object];
    },
    read: () => process.stdin,
    find: async () => object,
  };
  return { source, object };
}

function asJson(file: string, inspection: Inspection, score: Score | null): string {
  return `${JSON.stringify({ file, ...inspection, why: score }, null, 2)}\n`;
}
