/** `seine explain`: why a finding was reported, from the database; or why nothing was found at a position, from the object itself. */
import { type App, openSecret } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { settingsFor } from '../../config/source-config.ts';
import { explainFinding, type FindingExplanation } from '../../scans/explain/explain-finding.ts';
import { explainPosition, type PositionExplanation } from '../../scans/explain/explain-position.ts';
import { parsePosition } from '../../scans/explain/source-position.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { NameMasker } from '../../scans/names/name-masker.ts';
import { parseFindingId } from '../../scans/results/finding-id.ts';
import { openSource } from '../../sources/open.ts';
import { isObjectError } from '../../sources/source.ts';
import { EXIT } from '../exit-code.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { renderDetectorTrace, renderPosition } from '../output/detector-trace.ts';
import { explanationJson, renderExplanation } from '../output/explanation.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { loadRules } from '../scans/scan-request.ts';
import { chooseScan, withApp } from '../with-app.ts';
import { openSingleObject } from './single-object.ts';

export interface ExplainRequest extends CommonFlags {
  readonly at?: string;
  readonly part?: string;
  readonly read?: boolean;
  readonly rules?: string;
  readonly pack?: string[];
}

const never = new AbortController().signal;

export async function explain(what: string, flags: ExplainRequest): Promise<number> {
  await (flags.at === undefined
    ? explainReportedFinding(what, flags)
    : explainAtPosition(what, flags.at, flags));
  return EXIT.done;
}

async function explainReportedFinding(what: string, flags: ExplainRequest): Promise<void> {
  const handle = parseFindingId(what);
  await withApp(flags, async (app) => {
    const scan = await chooseScan(app, String(handle.scan), flags);
    const why = await explainFinding(app.db, scan, handle);
    const now = flags.read ? await rereadObject(app, scan, why) : null;
    const style = detectTerminalStyle(process.stdout, process.env, flags);
    const text = () => `${renderExplanation(why, style)}${now ? `\n${renderDetectorTrace(now, style)}` : ''}`;
    process.stdout.write(flags.json ? toJson({ ...explanationJson(why), ...(now && { now }) }) : text());
  });
}

/** Reads the object as it is now and applies the rules of the scan. */
async function rereadObject(app: App, scan: ScanRow, why: FindingExplanation): Promise<PositionExplanation> {
  const settings = settingsFor(app.config, scan.target)?.settings;
  const source = await openSource(scan.target, { ignoreFile: false }, settings ? { settings } : {});
  const names = new NameMasker(app.secret, scan.ruleSet);
  const object = await source.find(names.open(why.key), never);
  if (object === null) throw new SeineError('not-found', `${displayKey(why.key)} no longer exists.`);
  if (isObjectError(object)) throw object.error;
  const { start, part } = why.finding;
  return explainPosition(
    { source, object, rules: scan.ruleSet, place: { offset: start }, part, names },
    never,
  );
}

async function explainAtPosition(target: string, at: string, flags: ExplainRequest): Promise<void> {
  const place = parsePosition(at);
  const rules = loadRules(flags.rules, flags.pack);
  const { source, object } = await openSingleObject(target, 'explain', flags);
  const part = flags.part === undefined ? {} : { part: flags.part };
  const names = new NameMasker(openSecret(configOf(flags)), rules);
  const why = await explainPosition({ source, object, rules, place, names, ...part }, never);
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const shown = names.name(target);
  process.stdout.write(flags.json ? toJson({ object: shown, ...why }) : renderPosition(shown, why, style));
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
