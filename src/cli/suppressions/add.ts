/** `seine suppress`: suppresses a finding, or a detector in some paths. */
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { didYouMean } from '../../base/nearest.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { parseFindingId } from '../../scans/results/finding-id.ts';
import { PathMatcher } from '../../scans/suppressions/path-matcher.ts';
import { matchOf, suppress } from '../../scans/suppressions/suppress.ts';
import type { SuppressionMatch } from '../../scans/suppressions/suppression.ts';
import { suppressionJson } from '../../scans/suppressions/suppression-file.ts';
import { readSuppression } from '../../scans/suppressions/suppression-store.ts';
import { openSource } from '../../sources/open.ts';
import type { CommonFlags } from '../options.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { currentUser } from './current-user.ts';
import { parseExpiry } from './expiry.ts';

export interface SuppressFlags extends CommonFlags {
  readonly reason?: string;
  readonly owner?: string;
  readonly until?: string;
  readonly thisObjectOnly?: boolean;
  readonly path?: string;
  readonly detector?: string;
  readonly source?: string;
}

export async function addSuppression(handle: string | undefined, flags: SuppressFlags): Promise<void> {
  const reason = given('--reason', flags.reason, 'State why the finding is suppressed.');
  const owner = given('--owner', flags.owner, 'Specify the person or team responsible.');
  await withApp(flags, async (app) => {
    const match = handle === undefined ? await byPath(flags) : await byFinding(app, handle, flags);
    const expiresAt = await parseExpiry(app.db, flags.until);
    const by = { tenant: app.config.tenant, user: currentUser() };
    const { id, isNew } = await suppress(app.db, by, { ...match, reason, owner, expiresAt });
    const entry = (await readSuppression(app.db, by.tenant, id))!;
    if (flags.json)
      return void process.stdout.write(`${JSON.stringify({ ...suppressionJson(entry), isNew }, null, 2)}\n`);
    const what = describeMatch(match);
    if (!isNew) {
      log(`${what} is already suppressed by suppression ${id}; nothing changed.`);
      return log(`  ${suggestCommand(['suppressions', 'show', String(id)], flags)}   show it`);
    }
    log(`Suppression ${id}: ${what}${expiresAt === null ? '' : `, until ${day(expiresAt)}`}.`);
    log('  It applies from the next scan on; reports show the number of suppressed findings.');
  });
}

/** `EMAIL a•••@example.com in hr/staff.csv`, as far as known. */
export function describeMatch({
  detector,
  fingerprint,
  path,
  source,
  object,
  masked,
}: SuppressionMatch & { masked?: string }): string {
  const value = masked === undefined ? (fingerprint ?? '').slice(0, 12) : visible(masked);
  const where = [
    ...(object === null ? [] : [`in ${displayKey(object)}`]),
    ...(path === null ? [] : [`in ${visible(path)}`]),
    ...(source === null ? [] : [`of ${visible(source)}`]),
  ];
  return [detector, ...(fingerprint === null ? ['(any value)'] : [value]), ...where].join(' ');
}

/** The last day on which the suppression is in force. */
export function day(expiresAt: Date): string {
  return new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10);
}

async function byFinding(
  app: App,
  handle: string,
  flags: SuppressFlags,
): Promise<SuppressionMatch & { masked?: string }> {
  if (flags.detector !== undefined)
    throw new SeineError('usage', '--detector can only be used with --path, not with a finding.');
  const match = await matchOf(app.db, app.config.tenant, parseFindingId(handle), {
    thisObjectOnly: flags.thisObjectOnly === true,
  });
  const source = flags.source === undefined ? match.source : await sourceOf(flags.source);
  return { ...match, path: checkedPath(flags.path), source };
}

async function byPath(flags: SuppressFlags): Promise<SuppressionMatch> {
  if (flags.path === undefined || flags.detector === undefined) {
    throw new SeineError('usage', 'Specify a finding, or --path together with --detector.', {
      hint: `For instance: ${suggestCommand(['suppress', '12-873-0', '--reason', 'test account', '--owner', 'team-mail'], flags)}. seine findings shows the ids.`,
    });
  }
  if (flags.thisObjectOnly) throw new SeineError('usage', '--this-object-only requires a finding.');
  const detector = flags.detector.trim().toUpperCase();
  warnUnknownDetector(detector);
  const source = flags.source === undefined ? null : await sourceOf(flags.source);
  return { detector, fingerprint: null, path: checkedPath(flags.path), source, object: null };
}

/** A warning, not an error: rule sets can define custom detectors. */
function warnUnknownDetector(detector: string): void {
  const names = catalogue.map(({ id }) => id);
  if (names.includes(detector)) return;
  log(
    `seine: ${detector} is not a built-in detector; ${didYouMean(detector, names, 'is it a custom detector?')}`,
  );
}

function checkedPath(path: string | undefined): string | null {
  if (path === undefined) return null;
  new PathMatcher(path);
  return path;
}

/** The canonical id of the source, as scans store it. */
export async function sourceOf(target: string): Promise<string> {
  return (await openSource(target, {})).id;
}

export function given(option: string, value: string | undefined, hint: string): string {
  const text = value?.trim() ?? '';
  if (text !== '') return text;
  throw new SeineError('usage', `${option} is missing.`, { hint });
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
