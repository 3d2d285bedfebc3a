/** `seine inspect`: looks at one object without a database, and says why. */
import { openSecret } from '../app.ts';
import { keyOf } from '../base/key.ts';
import { wholeNumber } from '../config.ts';
import type { Score } from '../governance/score.ts';
import { Inspector } from '../scans/detect/inspector.ts';
import type { Inspection } from '../scans/inspection.ts';
import { NameMasker } from '../scans/names/name-masker.ts';
import type { Source, SourceObject } from '../sources/source.ts';
import { EXIT } from './exit-code.ts';
import { type OneObject, oneObject } from './one-object.ts';
import { type CommonFlags, configOf } from './options.ts';
import { renderInspection } from './output/inspection.ts';
import { lookOf } from './output/look.ts';
import { readRules } from './scan-request.ts';

export async function inspectFile(
  file: string,
  flags: CommonFlags & { readonly rules?: string; readonly pack?: string[]; readonly maxFindings?: string },
): Promise<number> {
  const keepEach = wholeNumber('--max-findings', flags.maxFindings, 1000, 1, 1_000_000_000);
  const { source, object } = file === '-' ? standardInput() : await oneObject(file, 'inspect', flags);
  const rules = readRules(flags.rules, flags.pack);
  const secret = openSecret(configOf(flags));
  const inspector = new Inspector(source, { rules, secret, keepEach });
  const inspection = await inspector.inspect(object, new AbortController().signal, () => {});
  const score = inspection.tier === null ? null : inspector.explainScore();
  const name = new NameMasker(secret, rules).name(file);
  process.stdout.write(
    flags.json
      ? asJson(name, inspection, score)
      : renderInspection(name, inspection, score, lookOf(process.stdout, process.env, flags)),
  );
  return inspection.outcome === 'scanned' ? EXIT.done : EXIT.error;
}

/** A source of one object whose bytes come once. */
function standardInput(): OneObject {
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
