/** `seine findings`: what matches a filter, streamed as a table, JSON lines or CSV. */
import type { App } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { displayKey } from '../base/key.ts';
import { didYouMean } from '../base/nearest.ts';
import { compileFilter, type Filter, isAboutFindings } from '../filter/evaluate.ts';
import { type FilterRecord, pathFields } from '../filter/record.ts';
import type { Finding } from '../scans/finding.ts';
import { keyJson } from '../scans/finding-json.ts';
import { placeInObject } from '../scans/finding-place.ts';
import { findingsOf, type ObjectRecord, objectsOf } from '../scans/finding-store.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import type { KnownNames } from './known-names.ts';
import type { CommonFlags } from './options.ts';
import { writeCsv } from './output/csv.ts';
import { writeJsonl } from './output/jsonl.ts';
import { type Look, lookOf, paint, TIER_STYLES } from './output/look.ts';
import { grouped } from './output/quantities.ts';
import { contents } from './output/terminal-risk.ts';
import { padEnd, truncateMiddle } from './output/text-width.ts';
import { visible } from './output/visible.ts';
import { standardOutput } from './standard-output.ts';
import { chooseScan, withApp } from './with-app.ts';

export interface FindingsWish extends CommonFlags {
  readonly where?: string;
  readonly policy?: string;
  readonly objects?: boolean;
  readonly limit: number;
  readonly format: 'table' | 'jsonl' | 'csv';
}

export async function listFindings(id: string | undefined, wish: FindingsWish): Promise<void> {
  await withApp(wish, async (app) => {
    const scan = await chooseScan(app, id, wish);
    const wanted = await wantedOf(wish, scan);
    if (wish.objects) return listObjects(app, scan, wanted, wish);
    const findings = take(matching(app, scan, wanted), wish.limit);
    if (wish.format === 'jsonl') return writeJsonl(findings, process.stdout);
    if (wish.format === 'csv') return writeCsv(findings, process.stdout);
    return printFindings(findings, lookOf(process.stdout, process.env, wish));
  });
}

interface Wanted {
  readonly filter: Filter | null;
  readonly policy: string | null;
}

/** The names are loaded with all detectors: that is worth it only if there is one to look up. */
async function wantedOf({ where, policy }: FindingsWish, scan: ScanRow): Promise<Wanted> {
  if (where === undefined && policy === undefined) return { filter: null, policy: null };
  const known = (await import('./known-names.ts')).knownNames(scan.ruleSet);
  return {
    filter: where === undefined ? null : compileFilter(where, known.types),
    policy: policy === undefined ? null : policyNamed(policy, known, scan),
  };
}

function policyNamed(name: string, { policies }: KnownNames, scan: ScanRow): string {
  const policy = policies.find((known) => known === name.toLowerCase());
  if (policy !== undefined) return policy;
  throw new SeineError('usage', `Scan ${scan.id} has no policy "${name}".`, {
    hint: didYouMean(name, policies, `It has ${policies.join(', ')}.`),
  });
}

/** With a policy: of the objects that it fired on, the findings that spoke for it. */
async function* matching(app: App, scan: ScanRow, { filter, policy }: Wanted): AsyncGenerator<Finding> {
  // A filter that only asks about objects decides before their findings are read.
  const byObject = filter !== null && !isAboutFindings(filter);
  const wanted = (object: ObjectRecord) =>
    hasFired(policy, object) && (!byObject || filter.matches(recordOf(object)));
  for await (const { object, finding } of findingsOf(app.db, scan, wanted)) {
    if (policy !== null && !object.policies[policy]!.includes(finding.detector)) continue;
    if (filter === null || byObject || filter.matches({ ...recordOf(object), ...finding })) yield finding;
  }
}

function hasFired(policy: string | null, object: ObjectRecord): boolean {
  return policy === null || policy in object.policies;
}

function recordOf(object: ObjectRecord): FilterRecord {
  return { ...pathFields(displayKey(object.key)), ...object };
}

async function listObjects(
  app: App,
  scan: ScanRow,
  { filter, policy }: Wanted,
  wish: FindingsWish,
): Promise<void> {
  const look = lookOf(process.stdout, process.env, wish);
  let left = wish.limit;
  for await (const objects of objectsOf(app.db, scan.id)) {
    for (const object of objects) {
      if (object.tier === null || !hasFired(policy, object) || (filter && !filter.matches(recordOf(object))))
        continue;
      if (left-- <= 0 || standardOutput.failed) return;
      const { key, ...rest } = object;
      process.stdout.write(
        wish.format === 'jsonl'
          ? `${JSON.stringify({ ...keyJson(key), ...rest })}\n`
          : `${String(object.score).padStart(3)}  ${tierOf(object.tier, look)}  ${displayKey(key)}  ${contents(object, look)}\n`,
      );
    }
  }
}

/** Lines between two questions whether they still arrive. */
const ASK_EVERY = 500;

async function printFindings(findings: AsyncIterable<Finding>, look: Look): Promise<void> {
  let count = 0;
  const where = Math.max(24, look.width - 70);
  for await (const finding of findings) {
    if (count++ % ASK_EVERY === 0 && !(await standardOutput.arrives())) return;
    const { key, part, line } = finding;
    const place = truncateMiddle(`${displayKey(key)}${visible(placeInObject({ part, line }))}`, where);
    const cells = [
      tierOf(finding.tier, look),
      padEnd(finding.detector, 18),
      finding.confidence.toFixed(2),
      padEnd(place, where),
      visible(finding.masked),
      ...(finding.field === null ? [] : [paint(look, 'gray', `(${visible(finding.field)})`)]),
      paint(look, 'gray', finding.handle),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  if (!(await standardOutput.arrives())) return;
  process.stderr.write(`${grouped(count)} ${count === 1 ? 'finding' : 'findings'}\n`);
}

function tierOf(tier: NonNullable<ObjectRecord['tier']>, look: Look): string {
  return paint(look, TIER_STYLES[tier], padEnd(tier, 8));
}

async function* take<T>(items: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let left = most;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}
