/** Queries which policies matched in a scan. */
import { keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import { policiesOf } from '../../governance/policies/policies-of.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { PolicyHits } from './report.ts';

/** Sorted by number of objects, descending. */
export async function readPolicyHits(db: Queryable, scan: ScanRow): Promise<PolicyHits[]> {
  const titles = new Map(policiesOf(scan.ruleSet).map(({ id, title }) => [id, title]));
  const [counts, evidence] = await Promise.all([countObjects(db, scan.id), sumEvidence(db, scan.id)]);
  const because = Map.groupBy(evidence, ({ policy }) => policy);
  return Promise.all(
    counts.map(async ({ policy, objects }) => ({
      policy,
      title: titles.get(policy) ?? policy,
      objects,
      because: Object.fromEntries(
        (because.get(policy) ?? []).map(({ detector, findings }) => [detector, findings]),
      ),
      worst: await worstOf(db, scan.id, policy),
    })),
  );
}

function countObjects(db: Queryable, scan: number): Promise<{ policy: string; objects: number }[]> {
  return many(
    db,
    `select policy, count(*) as objects
     from object_result, jsonb_object_keys(policies) policy
     where scan_id = $1 and policies <> '{}'
     group by policy
     order by objects desc, policy`,
    [scan],
  );
}

interface Evidence {
  readonly policy: string;
  readonly detector: string;
  readonly findings: number;
}

function sumEvidence(db: Queryable, scan: number): Promise<Evidence[]> {
  return many<Evidence>(
    db,
    `select verdict.key as policy, detector, sum((counts ->> detector)::bigint)::bigint as findings
     from object_result, jsonb_each(policies) verdict, jsonb_array_elements_text(verdict.value) detector
     where scan_id = $1 and policies <> '{}'
     group by verdict.key, detector
     order by findings desc, detector`,
    [scan],
  );
}

async function worstOf(db: Queryable, scan: number, policy: string): Promise<PolicyHits['worst']> {
  const rows = await many<{ key: Buffer; tier: Tier }>(
    db,
    `select key, tier from object_result
     where scan_id = $1 and tier is not null and policies ? $2
     order by points desc, key
     limit 3`,
    [scan, policy],
  );
  return rows.map(({ key, tier }) => ({ key: keyFromBytes(key), tier }));
}
