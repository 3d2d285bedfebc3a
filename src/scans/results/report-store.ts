/** Queries the report of a scan. */
import { keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import { TIERS, type Tier } from '../../governance/tier.ts';
import { weightOf } from '../../governance/weights.ts';
import { weightsOf } from '../../governance/weights-of.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { suppressedIn } from '../suppressions/hit-store.ts';
import { readWorstEmbedded } from './embedded-finding-store.ts';
import { readPolicyHits } from './policy-hit-store.ts';
import { describeReason } from './reason-code.ts';
import type { FolderRisk, LedgerLine, ObjectRisk, Report, TypeRisk } from './report.ts';

export async function readReport(db: Queryable, scan: ScanRow, { worst = 10 } = {}): Promise<Report> {
  const [ledger, tiers, objects, folders, types, insides, policies, suppressed] = await Promise.all([
    readLedger(db, scan.id),
    readTiers(db, scan.id),
    worstObjects(db, scan.id, worst),
    worstFolders(db, scan.id, worst),
    readTypes(db, scan),
    readWorstEmbedded(db, scan.id, heaviestFirst(scan)),
    readPolicyHits(db, scan),
    suppressedIn(db, scan.id),
  ]);
  const { source, status, rules, createdAt, finishedAt, seconds, mixedVersions } = scan;
  const id = String(scan.id);
  const summary = { id, source, status, rules, createdAt, finishedAt, seconds, mixedVersions };
  return { scan: summary, ledger, tiers, objects, folders, types, insides, policies, suppressed };
}

export async function readLedger(db: Queryable, scan: number): Promise<LedgerLine[]> {
  const lines = await many<LedgerLine>(
    db,
    // Workers of earlier versions store sentences.
    `select outcome, nullif(reason_code(stored), '') as reason, sum(objects)::bigint as objects, sum(bytes) as bytes
     from (select outcome, reason as stored, sum(objects) as objects, sum(bytes) as bytes
           from ledger where scan_id = $1 group by outcome, reason) as counted
     group by outcome, reason_code(stored)
     having sum(objects) <> 0
     order by array_position('{scanned,unchanged,partial,skipped,dead}', outcome), objects desc, reason`,
    [scan],
  );
  return lines.map((line) => ({ ...line, ...describeReason(line.reason) }));
}

async function readTiers(db: Queryable, scan: number): Promise<Record<Tier, number>> {
  const rows = await many<{ tier: Tier; objects: number }>(
    db,
    'select tier, count(*) as objects from object_result where scan_id = $1 and tier is not null group by tier',
    [scan],
  );
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>;
  for (const row of rows) tiers[row.tier] = row.objects;
  return tiers;
}

async function worstObjects(db: Queryable, scan: number, limit: number): Promise<ObjectRisk[]> {
  const rows = await many<Omit<ObjectRisk, 'key'> & { key: Buffer }>(
    db,
    `select key, score, tier, size::double precision, modified, counts, policies from object_result
     where scan_id = $1 and tier is not null
     order by points desc, key
     limit $2`,
    [scan, limit],
  );
  return rows.map((row) => ({ ...row, key: keyFromBytes(row.key) }));
}

async function worstFolders(db: Queryable, scan: number, limit: number): Promise<FolderRisk[]> {
  return many<FolderRisk>(
    db,
    `select folder, count(*) as objects, sum(findings)::bigint as findings, max(score) as worst,
            (array_agg(tier order by score desc))[1] as tier
     from object_result, lateral (select sum(value::bigint) as findings from jsonb_each_text(counts)) each
     where scan_id = $1 and tier is not null
     group by folder
     order by sum(points) desc, folder
     limit $2`,
    [scan, limit],
  );
}

/** By descending weight: a few card numbers matter more than many e-mail addresses. */
async function readTypes(db: Queryable, { id: scan, ruleSet }: ScanRow): Promise<TypeRisk[]> {
  const types = await many<Omit<TypeRisk, 'samples' | 'category'>>(
    db,
    `select each.key as detector, count(*) as objects, sum(each.value::bigint)::bigint as findings
     from object_result, jsonb_each_text(counts) each
     where scan_id = $1
     group by each.key`,
    [scan],
  );
  const weights = weightsOf(ruleSet);
  const weight = (type: { detector: string }) => weightOf(weights, type.detector).weight;
  types.sort(
    (a, b) => weight(b) - weight(a) || b.findings - a.findings || (a.detector < b.detector ? -1 : 1),
  );
  return Promise.all(
    types.map(async (type) => {
      const rows = await samplesOf(db, scan, type.detector);
      const samples = rows.map(({ category: _, key, ...sample }) => ({ ...sample, key: keyFromBytes(key) }));
      return { ...type, category: rows[0]?.category ?? '', samples };
    }),
  );
}

function heaviestFirst({ ruleSet }: ScanRow): string[] {
  const weights = weightsOf(ruleSet);
  const weight = (id: string) => weightOf(weights, id).weight;
  return [...weights.keys()].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
}

interface SampleRow {
  readonly masked: string;
  readonly key: Buffer;
  readonly part: string | null;
  readonly line: number;
  readonly category: string;
}

/** The finding with the highest confidence of each of the worst objects that have the type. */
function samplesOf(db: Queryable, scan: number, detector: string): Promise<SampleRow[]> {
  return many<SampleRow>(
    db,
    `select surest.masked, worst.key, surest.part, surest.line, surest.category
     from (select id, key, points from object_result
           where scan_id = $1 and tier is not null and counts ? $2
           order by points desc, key limit 3) worst,
     lateral (select masked, part, line, category from finding
              where object_id = worst.id and detector = $2
              order by confidence desc, n limit 1) surest
     order by worst.points desc, worst.key`,
    [scan, detector],
  );
}
