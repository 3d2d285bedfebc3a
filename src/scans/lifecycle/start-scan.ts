/**
 * Starts a scan: a row and one shard over everything, in one transaction, so that workers can start at
 * once. Where listing probes are cheap, a job then plans concurrently and splits the shard (plan-scan.ts).
 */
import { createHash } from 'node:crypto';
import { FULL_RANGE } from '../../base/range.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { DETECTION_VERSION } from '../../detection/version.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { createLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { notifyWorkers } from '../../engine/workers/work-channel.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { EXTRACTION_VERSION } from '../../extraction/extraction.ts';
import { policyHash } from '../../governance/policies/policies-of.ts';
import { detectionHash, type RuleSet, ruleSetHash } from '../../governance/rule-set.ts';
import { openSource } from '../../sources/open.ts';
import type { SourceSettings } from '../../sources/settings.ts';
import type { Source } from '../../sources/source.ts';
import { encodeInitialState } from '../inventory/initial-state.ts';
import { INVENTORY_VERSION } from '../inventory/inventory.ts';
import { NAMES_VERSION } from '../names/name-masker.ts';
import { requiredKeyCheck } from '../results/fingerprint-key.ts';
import { addRanges } from '../shard/shard-store.ts';
import { snapshotSuppressions } from '../suppressions/suppression-store.ts';
import { withScanEvents } from './scan-events.ts';
import { findBase, insertScan } from './scan-store.ts';
import { type Scope, scopeHash, scopeOf, WHOLE_SCOPE } from './scope.ts';

export const SHARD = 'shard';

export interface ScanRequest {
  readonly tenant: string;
  readonly target: string;
  readonly scope: Scope;
  readonly rules: RuleSet;
  readonly rulesFile: string | null;
  /** Read all objects, unchanged ones included. */
  readonly full: boolean;
  /** Number of findings kept per object and type. */
  readonly maxFindingsPerType: number;
  readonly priority?: number;
  /** Maximum number of concurrently held shards of this source, over all workers. */
  readonly maxConcurrency?: number | null;
  readonly settings?: SourceSettings;
  /** The storage form of names that contain values. */
  readonly names?: KeyCodec;
  /** Inserts what belongs to the scan from the start: a budget, hooks. */
  readonly also?: (tx: Tx, scan: number) => Promise<void>;
}

export async function startScan(db: Database, jobs: Jobs, request: ScanRequest): Promise<number> {
  const { tenant, settings, target } = request;
  const scope = scopeOf({ scope: request.scope, ruleSet: request.rules });
  const source = await openSource(target, scope, settings && { settings });
  const identity = {
    tenant,
    source: source.id,
    inventoryKey: inventoryKey(request.rules, request.maxFindingsPerType),
    scopeHash: scopeHash(scope),
    wholeScope: scopeHash(WHOLE_SCOPE),
  };
  const id = await withScanEvents(db, async (tx, appendEvent) => {
    const base = request.full ? null : await findBase(tx, identity);
    const requires = await requiredKeyCheck(tx, tenant);
    const scan = await createLeaseGroup(tx, {
      tenant,
      kind: SHARD,
      requires,
      ...leaseGroupOptions(request, source),
    });
    await insertScan(tx, scan, {
      ...identity,
      base,
      initialState: encodeInitialState(source, request.names ?? PLAIN_KEYS),
      scope: request.scope,
      target,
      ruleSet: request.rules,
      rulesHash: ruleSetHash(request.rules),
      rulesFile: request.rulesFile,
      maxFindingsPerType: request.maxFindingsPerType,
    });
    await snapshotSuppressions(tx, scan);
    await addRanges(tx, scan, [FULL_RANGE]);
    await request.also?.(tx, scan);
    if (source.page) await jobs.send(tx, 'plan', { scan });
    await notifyWorkers(tx, 1);
    appendEvent(scan, { type: 'requested', source: source.id, rules: request.rules.name, base, shards: 1 });
    return scan;
  });
  jobs.wake();
  return id;
}

/** Which workers may claim, and how many shards at once. */
function leaseGroupOptions({ priority = 0, maxConcurrency = null, settings }: ScanRequest, source: Source) {
  const everywhere = source.capabilities.remote || settings?.shared === true;
  return {
    priority,
    maxConcurrency,
    hostAffinity: everywhere ? null : hostAffinity(),
    quota: source.quota ?? source.id,
  };
}

/**
 * Everything that an object's result depends on besides its content and the suppressions: see
 * suppressions/stale-rows.ts.
 */
export function inventoryKey(rules: RuleSet, maxFindingsPerType: number): string {
  const versions = [EXTRACTION_VERSION, DETECTION_VERSION, INVENTORY_VERSION, NAMES_VERSION];
  const risks = rules.custom.map(({ id, risk }) => [id, risk]).sort();
  const scoring = [Object.entries(rules.weights).sort(), risks, policyHash(rules)];
  const parts = [versions, detectionHash(rules), scoring, maxFindingsPerType];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
