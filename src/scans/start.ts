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
import { type Scope, scopeHash, scopeOf, WHOLE } from './scope.ts';

export const SHARD = 'shard';

export interface ScanRequest {
  readonly tenant: string;
  readonly target: string;
  readonly scope: Scope;
  readonly rules: RuleSet;
  readonly rulesFile: string | null;
  /** Read everything, also what has not changed. */
  readonly full: boolean;
  /** Findings kept of each object and type. */
  readonly keepEach: number;
}

export async function startScan(db: Database, jobs: Jobs, request: ScanRequest): Promise<number> {
  const scope = scopeOf({ scope: request.scope, ruleSet: request.rules });
  const source = openSource(request.target, scope).id;
  const key = inventoryKey(request.rules, request.keepEach);
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
      scope: request.scope,
      target: request.target,
      ruleSet: request.rules,
      rulesHash: ruleSetHash(request.rules),
      rulesFile: request.rulesFile,
      keepEach: request.keepEach,
    });
    await jobs.send(tx, 'plan', { scan: work });
    return work;
  });
  jobs.wake();
  return id;
}

/** Everything that an object's result depends on besides its content. */
export function inventoryKey(rules: RuleSet, keepEach: number): string {
  const versions = [EXTRACTION_VERSION, DETECTION_VERSION];
  const parts = [versions, detectionHash(rules), Object.entries(rules.weights).sort(), keepEach];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
