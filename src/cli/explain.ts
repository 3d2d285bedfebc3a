/** `seine explain`: why a finding was reported, from the database; or why nothing was found at a place, from the object itself. */
import { type App, openSecret } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { displayKey } from '../base/key.ts';
import { settingsFor } from '../config/source-config.ts';
import { explainFinding, type FindingExplanation } from '../scans/explain/explain-finding.ts';
import { explainPlace, type PlaceExplanation } from '../scans/explain/explain-place.ts';
import { readPlace } from '../scans/explain/place.ts';
import { readHandle } from '../scans/finding-handle.ts';
import { NameMasker } from '../scans/names/name-masker.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import { openSource } from '../sources/open.ts';
import { isObjectError } from '../sources/source.ts';
import { EXIT } from './exit-code.ts';
import { oneObject } from './one-object.ts';
import { type CommonFlags, configOf } from './options.ts';
import { explanationJson, renderExplanation } from './output/explanation.ts';
import { lookOf } from './output/look.ts';
import { renderOpinions, renderPlace } from './output/opinions.ts';
import { readRules } from './scan-request.ts';
import { chooseScan, withApp } from './with-app.ts';

export interface ExplainWish extends CommonFlags {
  readonly at?: string;
  readonly part?: string;
  readonly read?: boolean;
  readonly rules?: string;
  readonly pack?: string[];
}

const never = new AbortController().signal;

export async function explain(what: string, flags: ExplainWish): Promise<number> {
  await (flags.at === undefined ? aFinding(what, flags) : aPlace(what, flags.at, flags));
  return EXIT.done;
}

async function aFinding(what: string, flags: ExplainWish): Promise<void> {
  const handle = readHandle(what);
  await withApp(flags, async (app) => {
    const scan = await chooseScan(app, String(handle.scan), flags);
    const why = await explainFinding(app.db, scan, handle);
    const now = flags.read ? await readAgain(app, scan, why) : null;
    const look = lookOf(process.stdout, process.env, flags);
    const text = () => `${renderExplanation(why, look)}${now ? `\n${renderOpinions(now, look)}` : ''}`;
    process.stdout.write(flags.json ? asJson({ ...explanationJson(why), ...(now && { now }) }) : text());
  });
}

/** By the rules of the scan, as the object is now. */
async function readAgain(app: App, scan: ScanRow, why: FindingExplanation): Promise<PlaceExplanation> {
  const settings = settingsFor(app.config, scan.target)?.settings;
  const source = await openSource(scan.target, { ignoreFile: false }, settings ? { settings } : {});
  const names = new NameMasker(app.secret, scan.ruleSet);
  const object = await source.find(names.open(why.key), never);
  if (object === null) throw new SeineError('not-found', `${displayKey(why.key)} is not there any more.`);
  if (isObjectError(object)) throw object.error;
  const { start, part } = why.finding;
  return explainPlace({ source, object, rules: scan.ruleSet, place: { offset: start }, part, names }, never);
}

async function aPlace(target: string, at: string, flags: ExplainWish): Promise<void> {
  const place = readPlace(at);
  const rules = readRules(flags.rules, flags.pack);
  const { source, object } = await oneObject(target, 'explain', flags);
  const part = flags.part === undefined ? {} : { part: flags.part };
  const names = new NameMasker(openSecret(configOf(flags)), rules);
  const why = await explainPlace({ source, object, rules, place, names, ...part }, never);
  const look = lookOf(process.stdout, process.env, flags);
  const shown = names.name(target);
  process.stdout.write(flags.json ? asJson({ object: shown, ...why }) : renderPlace(shown, why, look));
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
