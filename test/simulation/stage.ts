/** What the actors of a run share. */
import type { Database } from '../../src/db/database.ts';
import { createLeaseGroup } from '../../src/engine/leases/lease-group-store.ts';
import { DEFAULT_RULES, ruleSetHash } from '../../src/governance/rule-set.ts';
import type { WebhookSettings } from '../../src/scans/hooks/hook.ts';
import { ENDS } from '../../src/scans/hooks/hook.ts';
import { addHooks } from '../../src/scans/hooks/hook-store.ts';
import { withScanEvents } from '../../src/scans/lifecycle/scan-events.ts';
import { insertScan } from '../../src/scans/lifecycle/scan-store.ts';
import { inventoryKey, SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { addRanges } from '../../src/scans/shard/shard-store.ts';
import type { Choices } from './random.ts';
import type { ScanPlan, Scenario } from './scenario.ts';
import type { World } from './world.ts';

/** By the database's clock; so long that no timer of a real process gets a turn. */
export const TTL_MS = 3_600_000;

export type StagedScan = ScanPlan & { readonly id: number };

export interface Stage {
  readonly seed: number;
  readonly world: World;
  readonly choices: Choices;
  readonly scenario: Scenario;
  readonly scans: readonly StagedScan[];
  readonly counts: Record<string, number>;
  /** Grows when there may be something to take over. */
  wakeUps: number;
  /** A worker should try to lead now. */
  leaderWanted: boolean;
  readonly broken: string[];
  /** Counts events, to check that runs cover enough of them. */
  note(what: string): void;
}

export async function setStage(
  world: World,
  seed: number,
  choices: Choices,
  scenario: Scenario,
): Promise<Stage> {
  const scans: StagedScan[] = [];
  for (const plan of scenario.scans)
    scans.push({ ...plan, id: await insertPlanned(world.db, plan, scenario.cap) });
  const counts: Record<string, number> = {};
  const note = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  return { seed, world, choices, scenario, scans, counts, wakeUps: 0, leaderWanted: false, broken: [], note };
}

const HOOK: WebhookSettings = {
  kind: 'webhook',
  name: 'webhook',
  url: { from: 'text', text: 'https://example.com' },
  secret: null,
  on: ENDS,
  allowPrivate: false,
};

async function insertPlanned(db: Database, plan: ScanPlan, cap: number | null): Promise<number> {
  return withScanEvents(db, async (tx, appendEvent) => {
    const work = {
      tenant: plan.tenant,
      kind: SHARD,
      priority: plan.priority,
      quota: 'shared',
      maxConcurrency: cap,
    };
    const id = await createLeaseGroup(tx, work);
    await insertScan(tx, id, {
      tenant: plan.tenant,
      source: plan.source.id,
      target: plan.source.id,
      scope: {},
      scopeHash: 'all',
      ruleSet: DEFAULT_RULES,
      rulesHash: ruleSetHash(DEFAULT_RULES),
      rulesFile: null,
      initialState: null,
      maxFindingsPerType: 100,
      inventoryKey: inventoryKey(DEFAULT_RULES, 100),
      base: null,
    });
    await addRanges(tx, id, plan.ranges);
    await addHooks(tx, id, Array(plan.hooks).fill(HOOK));
    await tx.query('update scan_hook set max_attempts = 2 where scan_id = $1', [id]);
    const { source, ranges } = plan;
    appendEvent(id, {
      type: 'requested',
      source: source.id,
      rules: 'default',
      base: null,
      shards: ranges.length,
    });
    return id;
  });
}
