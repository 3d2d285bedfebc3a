/** Resumes an interrupted scan at the cursors of its shards. */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import {
  holdersOf,
  revokeLeases,
  setLeaseGroupPaused,
  updateHostAffinity,
} from '../../engine/leases/lease-group-store.ts';
import { notifyWorkers } from '../../engine/workers/work-channel.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { describeRuleChange } from '../../governance/rule-change.ts';
import { type RuleSet, ruleSetHash } from '../../governance/rule-set.ts';
import { moveHooks } from '../hooks/hook-store.ts';
import { listWaitingHooks, type WaitingHook } from '../hooks/waiting-store.ts';
import { requireKey } from '../results/fingerprint-key.ts';
import { withScanEvents } from './scan-events.ts';
import {
  changeRules,
  dropInventory,
  newestScan,
  readScan,
  type ScanRow,
  setScanError,
  transitionScan,
} from './scan-store.ts';
import { scopeHash, scopeOf } from './scope.ts';
import { inventoryKey } from './start-scan.ts';

/** What to do when the rules differ from those the scan started with. */
export type RulesDecision = 'old' | 'new' | null;

const UNFINISHED = ['planning', 'running', 'interrupted', 'paused', 'finalizing'] as const;

export async function findResumable(db: Database, tenant: string, id: number | null): Promise<ScanRow> {
  const scan = id === null ? await newestScan(db, tenant, UNFINISHED) : await readScan(db, id);
  if (!scan) {
    const message = id === null ? 'No unfinished scan.' : `No scan ${id}.`;
    throw new SeineError('not-found', message, { hint: 'List the scans: seine scans' });
  }
  if (scan.finishedAt) throw alreadyEndedError(scan, await listWaitingHooks(db, { scan: scan.id }));
  // After a pause, holders are releasing their leases; the fence protects either way.
  const stopped = scan.status === 'paused' || scan.status === 'interrupted';
  const [holder] = stopped ? [] : await holdersOf(db, scan.id);
  if (!holder) return scan;
  throw new SeineError(
    'conflict',
    `Scan ${scan.id} is being processed by pid ${holder.pid} on ${holder.host.split('/')[0]}.`,
    {
      hint: 'Wait for it, or stop it first. If it was killed, its lease expires within seconds.',
    },
  );
}

function alreadyEndedError({ id, status, target }: ScanRow, [waiting]: readonly WaitingHook[]): SeineError {
  const ended = `Scan ${id} has ended (${status})`;
  if (waiting === undefined)
    return new SeineError('conflict', `${ended}.`, { hint: `Scan again with: seine scan ${target}` });
  const elsewhere = waiting.place === null || waiting.place === hostAffinity() ? '' : ' --on-this-host';
  return new SeineError('conflict', `${ended}, but its ${waiting.name} is still pending.`, {
    hint: `Run it on this machine with: seine hooks run ${id}${elsewhere}`,
  });
}

/** The rules that the same command would use today. */
export interface CurrentRules {
  readonly ruleSet: RuleSet;
  readonly file: string | null;
}

/**
 * Resumes the scan. `now` is null to keep the scan's own rules; `place` is null to keep its host affinity.
 */
export async function resumeScan(
  db: Database,
  jobs: Jobs,
  scan: ScanRow,
  now: CurrentRules | null,
  decision: RulesDecision,
  place: string | null = hostAffinity(),
): Promise<ScanRow> {
  const versionsChanged = inventoryKey(scan.ruleSet, scan.maxFindingsPerType) !== scan.inventoryKey;
  const rulesChanged = now !== null && ruleSetHash(now.ruleSet) !== scan.rulesHash;
  const changed = versionsChanged || rulesChanged;
  if (changed && decision === null)
    throw rulesChangedError(scan, now?.ruleSet ?? scan.ruleSet, versionsChanged);
  await withScanEvents(db, async (tx, appendEvent) => {
    // A holder that has not noticed the pause would continue with the old rules and budget.
    await revokeLeases(tx, scan.id);
    await setLeaseGroupPaused(tx, scan.id, false);
    await requireKey(tx, scan.id);
    if (place !== null) await updateHostAffinity(tx, scan.id, place);
    if (changed) await applyRules(tx, scan, decision === 'new' ? now : null);
    // A scan in state running was left so by a process that crashed.
    const resumed = await transitionScan(tx, scan.id, ['interrupted', 'paused', 'running'], 'running');
    if (resumed) appendEvent(scan.id, { type: 'resumed', rules: changed ? 'changed' : 'as before' });
    await setScanError(tx, scan.id, null);
    if (place !== null) await moveHooks(tx, scan.id, place);
    await notifyWorkers(tx);
    // The job of a crashed process would only be redelivered after its timeout; running it twice is
    // harmless.
    if (scan.status === 'finalizing') await jobs.send(tx, 'finalize', { scan: scan.id });
  });
  jobs.wake();
  return (await readScan(db, scan.id))!;
}

/** `now` null: keeps the rules it started with, with the detectors of this version. */
async function applyRules(tx: Tx, scan: ScanRow, now: CurrentRules | null): Promise<void> {
  const { ruleSet, file } = now ?? { ruleSet: scan.ruleSet, file: scan.rulesFile };
  const key = inventoryKey(ruleSet, scan.maxFindingsPerType);
  const hashes = { rulesHash: ruleSetHash(ruleSet), scopeHash: scopeHash(scopeOf({ ...scan, ruleSet })) };
  await changeRules(tx, scan.id, { ruleSet, rulesFile: file, inventoryKey: key, ...hashes });
  if (key !== scan.inventoryKey) await dropInventory(tx, scan.id);
}

function rulesChangedError(scan: ScanRow, now: RuleSet, versions: boolean): SeineError {
  const changes = describeRuleChange(scan.ruleSet, now);
  if (versions) changes.push('the detectors or extractors of Seine itself are other versions now');
  const old = `finish under the old rules${versions ? ', as far as this version can' : ''}`;
  return new SeineError(
    'usage',
    `The rules have changed since scan ${scan.id} was started: ${changes.join('; ')}.`,
    {
      hint: `Choose: --rules-changed old (${old}), --rules-changed new (new rules for the rest), or start a new scan with seine scan.`,
    },
  );
}
