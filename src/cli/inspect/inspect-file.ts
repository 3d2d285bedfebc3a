/** `seine inspect`: inspects one object without a database and explains its score. */
import { openSecret } from '../../app.ts';
import { keyOf } from '../../base/key.ts';
import { parseWholeNumber } from '../../config.ts';
import type { Score } from '../../governance/score.ts';
import { ensureOcr } from '../../scans/detect/extraction-options.ts';
import { Inspector } from '../../scans/detect/inspector.ts';
import { NameMasker } from '../../scans/names/name-masker.ts';
import type { Inspection } from '../../scans/results/inspection.ts';
import { describeReason } from '../../scans/results/reason-code.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { EXIT } from '../exit-code.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { renderInspection } from '../output/inspection.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { loadRules } from '../scans/scan-request.ts';
import { openSingleObject, type SingleObject } from './single-object.ts';

export async function inspectFile(
  file: string,
  flags: CommonFlags & { readonly rules?: string; readonly pack?: string[]; readonly maxFindings?: string },
): Promise<number> {
  const maxFindingsPerType = parseWholeNumber('--max-findings', flags.maxFindings, 1000, 1, 1_000_000_000);
  const { source, object } = file === '-' ? standardInput() : await openSingleObject(file, 'inspect', flags);
  const rules = loadRules(flags.rules, flags.pack);
  await ensureOcr(rules);
  const secret = openSecret(configOf(flags));
  const inspector = new Inspector(source, { rules, secret, maxFindingsPerType });
  const inspection = await inspector.inspect(object, new AbortController().signal, () => {});
  const score = inspection.tier === null ? null : inspector.explainScore();
  const name = new NameMasker(secret, rules).name(file);
  process.stdout.write(
    flags.json
      ? toJson(name, inspection, score)
      : renderInspection(name, inspection, score, detectTerminalStyle(process.stdout, process.env, flags)),
  );
  return inspection.outcome === 'scanned' ? EXIT.done : EXIT.error;
}

/** A source with one object that can be read once. */
function standardInput(): SingleObject {
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

/** With the names that fields had before; the fields of the reason are those of other commands. */
function toJson(file: string, inspection: Inspection, score: Score | null): string {
  const { confidenceHistogram: levels, overlapCounts: contests } = inspection;
  const reason = describeReason(inspection.reason);
  return `${JSON.stringify({ file, ...inspection, ...reason, levels, contests, why: score }, null, 2)}\n`;
}
