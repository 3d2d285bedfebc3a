/** `seine findings`: the findings that match a filter, streamed as a table, JSON lines or CSV. */
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { didYouMean } from '../../base/nearest.ts';
import { compileFilter, type Filter, usesFindingFields } from '../../filter/evaluate.ts';
import { type FilterRecord, pathFields } from '../../filter/record.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { Finding } from '../../scans/results/finding.ts';
import { keyJson } from '../../scans/results/finding-json.ts';
import { formatLocation } from '../../scans/results/finding-location.ts';
import { findingsOf, type ObjectRecord, objectsOf } from '../../scans/results/finding-store.ts';
import type { CommonFlags } from '../options.ts';
import { writeCsv } from '../output/csv.ts';
import { writeJsonl } from '../output/jsonl.ts';
import { groupDigits } from '../output/quantities.ts';
import { contents } from '../output/terminal/risk.ts';
import { detectTerminalStyle, paint, type TerminalStyle, TIER_STYLES } from '../output/terminal-style.ts';
import { padEnd, truncateMiddle } from '../output/text-width.ts';
import { visible } from '../output/visible.ts';
import type { KnownNames } from '../rules/known-names.ts';
import { standardOutput } from '../standard-output.ts';
import { chooseScan, withApp } from '../with-app.ts';

export interface FindingsRequest extends CommonFlags {
  readonly where?: string;
  readonly policy?: string;
  readonly objects?: boolean;
  readonly limit: number;
  readonly format: 'table' | 'jsonl' | 'csv';
}

export async function listFindings(id: string | undefined, request: FindingsRequest): Promise<void> {
  await withApp(request, async (app) => {
    const scan = await chooseScan(app, id, request);
    const wanted = await parseSelection(request, scan);
    if (request.objects) return listObjects(app, scan, wanted, request);
    const findings = take(matching(app, scan, wanted), request.limit);
    if (request.format === 'jsonl') return writeJsonl(findings, process.stdout);
    if (request.format === 'csv') return writeCsv(findings, process.stdout);
    return printFindings(findings, detectTerminalStyle(process.stdout, process.env, request));
  });
}

interface FindingSelection {
  readonly filter: Filter | null;
  readonly policy: string | null;
}

/** The names are imported with all detectors, which is slow, so only if a name must be checked. */
async function parseSelection({ where, policy }: FindingsRequest, scan: ScanRow): Promise<FindingSelection> {
  if (where === undefined && policy === undefined) return { filter: null, policy: null };
  const known = (await import('../rules/known-names.ts')).knownNames(scan.ruleSet);
  return {
    filter: where === undefined ? null : compileFilter(where, known.types),
    policy: policy === undefined ? null : policyNamed(policy, known, scan),
  };
}

function policyNamed(name: string, { policies }: KnownNames, scan: ScanRow): string {
  const policy = policies.find((known) => known === name.toLowerCase());
  if (policy !== undefined) return policy;
  throw new SeineError('usage', `Scan ${scan.id} has no policy "${name}".`, {
    hint: didYouMean(name, policies, `Policies: ${policies.join(', ')}.`),
  });
}

/** With a policy: of the objects it matched, the findings that made it match. */
async function* matching(
  app: App,
  scan: ScanRow,
  { filter, policy }: FindingSelection,
): AsyncGenerator<Finding> {
  // A filter that only uses object fields is applied before the findings are read.
  const byObject = filter !== null && !usesFindingFields(filter);
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
  { filter, policy }: FindingSelection,
  request: FindingsRequest,
): Promise<void> {
  const style = detectTerminalStyle(process.stdout, process.env, request);
  let left = request.limit;
  for await (const objects of objectsOf(app.db, scan.id)) {
    for (const object of objects) {
      if (object.tier === null || !hasFired(policy, object) || (filter && !filter.matches(recordOf(object))))
        continue;
      if (left-- <= 0 || standardOutput.failed) return;
      const { key, ...rest } = object;
      process.stdout.write(
        request.format === 'jsonl'
          ? `${JSON.stringify({ ...keyJson(key), ...rest })}\n`
          : `${String(object.score).padStart(3)}  ${tierOf(object.tier, style)}  ${displayKey(key)}  ${contents(object, style)}\n`,
      );
    }
  }
}

/** Lines between two checks whether standard output still works. */
const CHECK_OUTPUT_EVERY = 500;

async function printFindings(findings: AsyncIterable<Finding>, style: TerminalStyle): Promise<void> {
  let count = 0;
  const where = Math.max(24, style.width - 70);
  for await (const finding of findings) {
    if (count++ % CHECK_OUTPUT_EVERY === 0 && !(await standardOutput.arrives())) return;
    const { key, part, line } = finding;
    const place = truncateMiddle(`${displayKey(key)}${visible(formatLocation({ part, line }))}`, where);
    const cells = [
      tierOf(finding.tier, style),
      padEnd(finding.detector, 18),
      finding.confidence.toFixed(2),
      padEnd(place, where),
      visible(finding.masked),
      ...(finding.field === null ? [] : [paint(style, 'gray', `(${visible(finding.field)})`)]),
      paint(style, 'gray', finding.handle),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  if (!(await standardOutput.arrives())) return;
  process.stderr.write(`${groupDigits(count)} ${count === 1 ? 'finding' : 'findings'}\n`);
}

function tierOf(tier: NonNullable<ObjectRecord['tier']>, style: TerminalStyle): string {
  return paint(style, TIER_STYLES[tier], padEnd(tier, 8));
}

async function* take<T>(items: AsyncIterable<T>, max: number): AsyncGenerator<T> {
  let left = max;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}
