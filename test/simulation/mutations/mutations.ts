/** Mutations of the sources. The simulation must detect each of them; `run-mutations.ts` checks that it does. */

export interface Mutation {
  readonly name: string;
  /** The simulation that must detect it; default: that of scans. */
  readonly of?: 'workflows';
  /** `from` must occur exactly once in the file; it is replaced by `to`. */
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

const LEASES = 'src/engine/leases/lease-store.ts';
const CLAIMS = 'src/engine/leases/claim-store.ts';
const SPLITS = 'src/engine/leases/split-store.ts';
const GROUPS = 'src/engine/leases/lease-group-store.ts';
const LEADER = 'src/engine/leader/leader.ts';
const PROGRESS = 'src/scans/shard/shard-progress.ts';
const RUN = 'src/scans/run-shard.ts';
const CHECKPOINT = 'src/scans/checkpoint/checkpoint.ts';
const FINALIZE = 'src/scans/lifecycle/finalize-scan.ts';
const SCANS = 'src/scans/lifecycle/scan-store.ts';
const EVENTS = 'src/scans/lifecycle/scan-events.ts';
const BATCH = 'src/scans/checkpoint/write-batch.ts';
const RETRY = 'src/scans/dead-letters/retry.ts';

/** The second check of a lease that is to be taken over, after its row was locked. */
const TAKES_EXPIRED = `and held.expired
             and lease.state = 'held' and lease_expired(lease.expires_at, lease.renewed_at)`;

function mutation(name: string, file: string, from: string, to: string): Mutation {
  return { name, edits: [{ file, from, to }] };
}

const leases: readonly Mutation[] = [
  mutation(
    'checkpoint without the fence',
    LEASES,
    `where id = $1 and fencing_token = $2 and checkpoint_seq = $3 and claim_id = $7 and state = 'held'`,
    `where id = $1 and $2::bigint > 0 and checkpoint_seq = $3 and $7::uuid is not null and state = 'held'`,
  ),
  mutation(
    'a repeated checkpoint is written again',
    LEASES,
    `where id = $1 and fencing_token = $2 and checkpoint_seq = $3 and claim_id = $7 and state = 'held'`,
    `where id = $1 and fencing_token = $2 and $3::bigint >= 0 and claim_id = $7 and state = 'held'`,
  ),
  mutation(
    'checkpoint of a lease that has ended',
    LEASES,
    `where id = $1 and fencing_token = $2 and checkpoint_seq = $3 and claim_id = $7 and state = 'held'`,
    `where id = $1 and fencing_token = $2 and checkpoint_seq = $3 and claim_id = $7`,
  ),
  {
    name: 'a completion whose acknowledgement was lost is counted twice',
    edits: [
      {
        file: LEASES,
        from: ` and checkpoint_seq = $4 and state = 'held'
     for update`,
        to: ` and checkpoint_seq = $4
     for update`,
      },
      {
        file: LEASES,
        from: ` and lease.state = 'held'
       returning lease.group_id)`,
        to: `
       returning lease.group_id)`,
      },
    ],
  },
  mutation(
    'renewal without the fence',
    LEASES,
    `update range_lease set expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
     where id = $1 and fencing_token = $2 and claim_id = $3 and`,
    `update range_lease set expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
     where id = $1 and $2::bigint > 0 and $3::uuid is not null and`,
  ),
  mutation(
    'release with backoff without the fence',
    LEASES,
    `not_before = clock() + $5 * interval '1 millisecond'
     where id = $1 and fencing_token = $2 and claim_id = $3 and`,
    `not_before = clock() + $5 * interval '1 millisecond'
     where id = $1 and $2::bigint > 0 and $3::uuid is not null and`,
  ),
  mutation(
    'release with backoff resets the cursor',
    LEASES,
    `error = $4, errors_since_progress = errors_since_progress + 1,`,
    `error = $4, errors_since_progress = errors_since_progress + 1, cursor = after_key,`,
  ),
  mutation(
    'a failed shard is not recorded as a gap',
    LEASES,
    `remaining = remaining - 1, failed = failed + 1`,
    `remaining = remaining - 1`,
  ),
  {
    name: 'claim without the expiry',
    edits: [
      {
        file: CLAIMS,
        from: `lease_expired(lease.expires_at, lease.renewed_at) as expired`,
        to: `true as expired`,
      },
      { file: CLAIMS, from: TAKES_EXPIRED, to: `and held.expired\n             and lease.state = 'held'` },
    ],
  },
  mutation('claim before its time', CLAIMS, ` and lease.not_before <= clock()`, ``),
  {
    name: "claim by the operating system's clock",
    edits: [
      {
        file: CLAIMS,
        from: `lease_expired(lease.expires_at, lease.renewed_at) as expired`,
        to: `lease.expires_at < now() as expired`,
      },
      {
        file: CLAIMS,
        from: TAKES_EXPIRED,
        to: `and held.expired\n             and lease.state = 'held' and lease.expires_at < now()`,
      },
    ],
  },
  mutation(
    'claim of a paused scan',
    CLAIMS,
    `lease_group.remaining > 0 and not lease_group.paused`,
    `lease_group.remaining > 0`,
  ),
  mutation('claim of the lowest priority', CLAIMS, `order by open.priority desc,`, `order by open.priority,`),
  mutation(
    'claim without fair shares',
    CLAIMS,
    ` coalesce(busy_tenant.held, 0), coalesce(busy.held, 0), open.id),`,
    ` open.id),`,
  ),
  {
    name: 'claim with a cap that is one too high',
    edits: [
      {
        file: CLAIMS,
        from: `or open.max_concurrency > busy_quota.held`,
        to: `or open.max_concurrency + 1 > busy_quota.held`,
      },
      { file: CLAIMS, from: `limit capped.max_concurrency)`, to: `limit capped.max_concurrency + 1)` },
    ],
  },
  mutation('claim under a cap without its lock', CLAIMS, `(await lockQuota(tx, quota)) ?`, `true ?`),
];

const splits: readonly Mutation[] = [
  mutation(
    'split within the reservation',
    SPLITS,
    `select group_id, reserved_up_to, up_to from range_lease`,
    `select group_id, cursor as reserved_up_to, up_to from range_lease`,
  ),
  mutation(
    'split of a lease that has ended',
    SPLITS,
    `from range_lease where id = $1 and state in ('held', 'waiting') and not no_split`,
    `from range_lease where id = $1 and not no_split`,
  ),
  mutation(
    'split that does not count the new leases',
    LEASES,
    "await tx.query('update lease_group set remaining = remaining + $2 where id = $1', [groupId, rows.length]);",
    '',
  ),
  mutation(
    'split that keeps its old end',
    SPLITS,
    "await tx.query('update range_lease set up_to = $2 where id = $1', [id, keyBytes(storage.seal(free[0]!))]);",
    '',
  ),
  mutation('a holder that does not notice a split', RUN, ` || !shard.covers(item.key)`, ``),
  mutation(
    'segments can be split',
    'src/scans/segments/add-segments.ts',
    `    await disableSplits(tx, leases);\n`,
    ``,
  ),
  mutation('retry shards can be split', RETRY, `  await disableSplits(tx, leases);\n`, ``),
  mutation(
    'the last segment but one ends the object',
    'src/scans/segments/end-segment.ts',
    `if (left > 0) return null;`,
    `if (left > 1) return null;`,
  ),
];

const shards: readonly Mutation[] = [
  mutation(
    'the cursor passes unfinished objects',
    'src/scans/checkpoint/in-order-tracker.ts',
    `this.#items[end]!.result !== null) end++;`,
    `this.#items.slice(end).some(({ result }) => result !== null)) end++;`,
  ),
  mutation(
    'a paused shard is completed',
    RUN,
    `if (signal.aborted || shard.stopping) return (await`,
    `if (signal.aborted) return (await`,
  ),
  mutation(
    'a pause is forgotten at the next checkpoint',
    PROGRESS,
    `this.#stopping ||= held.paused;`,
    `this.#stopping = held.paused;`,
  ),
  mutation('a pause is never noticed', PROGRESS, `this.#stopping ||= held.paused;`, ``),
  mutation(
    'an object that crashes the process is not marked',
    RUN,
    `  await markSuspect(context.db, shard.held.groupId, stored);\n`,
    ``,
  ),
  mutation('objects are started without a reservation', PROGRESS, `    this.#reserved = key;\n`, ``),
  mutation(
    'the scan ends one shard too early',
    PROGRESS,
    `if (remaining === 0) await`,
    `if (remaining === 1 || remaining === 0) await`,
  ),
  mutation(
    'the last shard fails and the scan does not end',
    'src/scans/shard/requeue-or-fail.ts',
    `    if (remaining === 0) await startFinalizing(jobs, tx, held.groupId, appendEvent);\n`,
    ``,
  ),
];

const ends: readonly Mutation[] = [
  {
    name: 'finalize is carried out twice',
    edits: [
      {
        file: FINALIZE,
        from: `if (!(await isFinalizing(tx, scan))) return;`,
        to: ``,
      },
      {
        file: SCANS,
        from: ` where id = $1 and status = 'finalizing'\`,\n    [id, status, error]`,
        to: ` where id = $1\`,\n    [id, status, error]`,
      },
    ],
  },
  mutation(
    'a scan with dead objects is completed',
    FINALIZE,
    `if (unread > 0) return`,
    `if (unread > 1e9) return`,
  ),
  mutation(
    'a scan with failed shards is completed',
    FINALIZE,
    `if (group.failed > 0)`,
    `if (group.failed > 1e9)`,
  ),
  mutation(
    'hooks of an earlier end are sent again',
    'src/scans/hooks/hook-store.ts',
    `where scan_id = $1 and scan_hook.reopen_count = scan.reopen_count and state = 'waiting' order by n`,
    `where scan_id = $1 order by n`,
  ),
  {
    name: 'cancel leaves held leases',
    edits: [
      {
        file: GROUPS,
        from: `where group_id = $1 and state in ('waiting', 'held')\n     returning id`,
        to: `where group_id = $1 and state in ('waiting')\n     returning id`,
      },
      {
        file: GROUPS,
        from: `where group_id = $1 and state in ('waiting', 'held') limit 1`,
        to: `where group_id = $1 and state in ('waiting') limit 1`,
      },
    ],
  },
  {
    name: 'cancel does not check for leases that were added meanwhile',
    edits: [
      { file: GROUPS, from: `while (await hasOpenLeases(tx, id));`, to: `while (false);` },
      { file: GROUPS, from: `if (await hasOpenLeases(tx, id)) throw concurrentAddError();`, to: `` },
    ],
  },
  mutation(
    'cancel leaves dead letters in state retrying',
    'src/scans/lifecycle/control-scan.ts',
    `    await reopenRetrying(tx, id);\n`,
    ``,
  ),
  mutation(
    'pause locks in the wrong order',
    'src/scans/lifecycle/control-scan.ts',
    `    await lockLeaseGroup(tx, id);\n`,
    ``,
  ),
  mutation(
    'a retried object is listed twice',
    CHECKPOINT,
    `update.retrying ? 0 : tally.listed`,
    `tally.listed`,
  ),
  mutation(
    'a retried object is in the ledger twice',
    BATCH,
    `[...tally.ledger(carried), ...before]`,
    `tally.ledger(carried)`,
  ),
  mutation(
    'a retried object keeps its dead letter',
    BATCH,
    `  await resolveDeadObjects(tx, scan, keys);\n`,
    ``,
  ),
  mutation(
    'two retries take the same dead letter',
    'src/scans/dead-letters/letter-store.ts',
    `d.lease_id as lease, d.evidence\`,\n    paramsOf({ ...filter, state: 'open' }),`,
    `d.lease_id as lease, d.evidence\`,\n    paramsOf(filter),`,
  ),
  mutation(
    'a retry does not reopen the scan',
    RETRY,
    `if (await reopenScan(tx, scan)) {`,
    `if (scan < 0 && (await reopenScan(tx, scan))) {`,
  ),
  mutation(
    'a retry is overtaken by the end of its scan',
    SCANS,
    ` and (finished_at is not null or status = 'finalizing')`,
    ` and finished_at is not null`,
  ),
  mutation(
    'a late resume clears the error of the end',
    SCANS,
    ` where id = $1 and finished_at is null', [id, error]`,
    ` where id = $1', [id, error]`,
  ),
  mutation(
    'old scans are rolled up while one is reopened',
    'src/scans/retention/retention-store.ts',
    `\n     for update of scan skip locked`,
    ``,
  ),
];

const events: readonly Mutation[] = [
  mutation(
    'a completed shard is not recorded',
    PROGRESS,
    `if (remaining !== null) appendEvent`,
    `if (remaining === 0) appendEvent`,
  ),
  mutation(
    'a split is recorded although the holder has passed it',
    'src/scans/planning/split-shard.ts',
    `    if (added.length === 0) return 0;\n`,
    `    if (added.length === 0) appendEvent(scan, { type: 'split', shard: lease, into: [lease] });\n    if (added.length === 0) return 0;\n`,
  ),
  mutation(
    'segments of huge objects are not recorded',
    BATCH,
    `if (shards > 0) appendEvent`,
    `if (shards < 0) appendEvent`,
  ),
  mutation(
    'a pause is recorded for a scan that has ended',
    'src/scans/lifecycle/control-scan.ts',
    `    if (!changed && !(await transitionScan(tx, id, [status], status))) return;\n`,
    `    if (!changed) appendEvent(id, { type: status, why });\n    if (!changed) return;\n`,
  ),
  mutation(
    'a resume is recorded for a scan that has ended',
    'src/scans/lifecycle/resume-scan.ts',
    `if (resumed) appendEvent(`,
    `if (resumed || changed || !changed) appendEvent(`,
  ),
  mutation(
    'the start of a scan is recorded twice',
    EVENTS,
    `inputs.some(isStart) && (await`,
    `inputs.length === 0 && (await`,
  ),
  mutation(
    'the check for an earlier start does not lock the history',
    'src/scans/lifecycle/scan-event-store.ts',
    `on conflict (tenant, name, id) do update set version = workflow.version`,
    `on conflict (tenant, name, id) do nothing`,
  ),
  mutation(
    'the end is recorded by every process that finalizes',
    FINALIZE,
    `    if (!(await isFinalizing(tx, scan))) return;\n`,
    ``,
  ),
];

const leaders: readonly Mutation[] = [
  mutation(
    'a leader writes without the fence',
    LEADER,
    `where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held' and expires_at >= clock()`,
    `where id = $1 and $2::bigint > 0 and $3::uuid is not null`,
  ),
  mutation(
    'a leader is replaced while it writes',
    LEADER,
    `and expires_at >= clock()\n     for update`,
    `and expires_at >= clock()`,
  ),
];

export const MUTATIONS: readonly Mutation[] = [
  ...leases,
  ...splits,
  ...shards,
  ...ends,
  ...events,
  ...leaders,
];
