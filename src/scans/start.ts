/** Starting a scan: a row, and in the same transaction the job that plans it. */
import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { DETECTION_VERSION } from '../detection/version.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { createWork } from '../engine/leases/work-store.ts';
import { EXTRACTION_VERSION } from '../extraction/version.ts';
import { detectionHash, type RuleSet, ruleSetHash } from '../governance/rule-set.ts';
import { openSource } from '../sources/open.ts';
import { findBase, insertScan } from './scan-store.ts';
import { type Scope, scopeHash, WHOLE, withRules } from './scope.ts';

export const SHARD = 'shard';

export interface ScanRequest {
  readonly tenant: string;
  readonly target: string;
  readonly scope: Scope;
  readonly rules: RuleSet;
  readonly rulesFile: string | null;
  /** Read everything, also what has not changed. */
  readonly full: boolean;
}

export async function startScan(db: Database, jobs: Jobs, request: ScanRequest): Promise<number> {
  const scope = withRules(request.scope, request.rules);
  const source = openSource(request.target, scope).id;
  const key = inventoryKey(request.rules);
  const like = {
    tenant: request.tenant,
    source,
    inventoryKey: key,
    scopeHash: scopeHash(scope),
    wholeScope: scopeHash(WHOLE),
  };
  const id = await db.tx(async (tx) => {
    const base = request.full ? null : await findBase(tx, like);
    const work = await createWork(tx, { tenant: request.tenant, kind: SHARD, priority: 0 });
    await insertScan(tx, work, {
      ...like,
      base,
      scope,
      target: request.target,
      ruleSet: request.rules,
      rulesHash: ruleSetHash(request.rules),
      rulesFile: request.rulesFile,
    });
    await jobs.send(tx, 'plan', { scan: work });
    return work;
  });
  jobs.wake();
  return id;
}

/** Everything that an object's result depends on besides its content. */
export function inventoryKey(rules: RuleSet): string {
  const parts = [
    EXTRACTION_VERSION,
    DETECTION_VERSION,
    detectionHash(rules),
    Object.entries(rules.weights).sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
