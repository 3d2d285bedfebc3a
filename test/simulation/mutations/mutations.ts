/** Mistakes that somebody might make one day. The simulation must notice each of them; `run-mutations.ts` tries whether it does. */

export interface Mutation {
  readonly name: string;
  /** Which simulation must notice it; that of scans if it isn't told. */
  readonly of?: 'workflows';
  /** Each text stands in its file exactly once, and is replaced by the other. */
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

const LEASES = 'src/engine/leases/lease-store.ts';
const CLAIMS = 'src/engine/leases/claim-store.ts';
const SPLITS = 'src/engine/leases/split-store.ts';
const WORKS = 'src/engine/leases/lease-group-store.ts';
const LEADER = 'src/engine/leader/leader.ts';
const PROGRESS = 'src/scans/shard/shard-progress.ts';
const RUN = 'src/scans/run-shard.ts';
const CHECKPOINT = 'src/scans/checkpoint/checkpoint.ts';
const FINALIZE = 'src/scans/lifecycle/finalize-scan.ts';
const SCANS = 'src/scans/lifecycle/scan-store.ts';
const STORY = 'src/scans/lifecycle/scan-events.ts';
const RETRY = 'src/scans/dead-letters/retry.ts';

function mutation(name: string, file: string, from: string, to: string): Mutation {
  return { name, edits: [{ file, from, to }] };
}

const leases: readonly Mutation[] = [
  mutation(
    'checkpoint without the fence',
    LEASES,
    `where id = $1 and token = $2 and step = $3 and state = 'held'
     returning`,
    `where id = $1 and $2::bigint > 0 and step = $3 and state = 'held'
     returning`,
  ),
  mutation(
    'a repeated checkpoint is written again',
    LEASES,
    `where id = $1 and token = $2 and step = $3 and state = 'held'
     returning`,
    `where id = $1 and token = $2 and $3::bigint >= 0 and state = 'held'
     returning`,
  ),
  mutation(
    'checkpoint though the lease has ended',
    LEASES,
    `where id = $1 and token = $2 and step = $3 and state = 'held'
     returning`,
    `where id = $1 and token = $2 and step = $3
     returning`,
  ),
  {
    name: 'a completion whose answer was lost is counted twice',
    edits: [
      {
        file: LEASES,
        from: `where id = $1 and token = $2 and step = $3 and state = 'held'
     for update`,
        to: `where id = $1 and token = $2 and step = $3
     for update`,
      },
      {
        file: LEASES,
        from: `update lease set state = 'done', holder = null, expires_at = null
       where id = $1 and token = $2 and state = 'held'`,
        to: `update lease set state = 'done', holder = null, expires_at = null
       where id = $1 and token = $2`,
      },
    ],
  },
  mutation(
    'renewal without the fence',
    LEASES,
    `update lease set expires_at = clock() + $3 * interval '1 millisecond'
     where id = $1 and token = $2 and`,
    `update lease set expires_at = clock() + $3 * interval '1 millisecond'
     where id = $1 and $2::bigint > 0 and`,
  ),
  mutation(
    'put back without the fence',
    LEASES,
    `not_before = clock() + $4 * interval '1 millisecond'
     where id = $1 and token = $2 and`,
    `not_before = clock() + $4 * interval '1 millisecond'
     where id = $1 and $2::bigint > 0 and`,
  ),
  mutation(
    'put back to the beginning',
    LEASES,
    `error = $3, failures = failures + 1,`,
    `error = $3, failures = failures + 1, cursor = after_key,`,
  ),
  mutation(
    'a failed shard leaves no hole in the books',
    LEASES,
    `remaining = remaining - 1, failed = failed + 1`,
    `remaining = remaining - 1`,
  ),
  mutation(
    'claim without the expiry',
    CLAIMS,
    `(lease.state = 'held' and lease.expires_at < clock())`,
    `(lease.state = 'held')`,
  ),
  mutation('claim before its time', CLAIMS, ` and lease.not_before <= clock()`, ``),
  mutation(
    'claim by the server clock of the machine',
    CLAIMS,
    `(lease.state = 'held' and lease.expires_at < clock())`,
    `(lease.state = 'held' and lease.expires_at < now())`,
  ),
  mutation('claim of a paused scan', CLAIMS, ` and not work.paused`, ``),
  mutation('claim of the least urgent', CLAIMS, `order by work.priority desc,`, `order by work.priority,`),
  mutation('claim without fair shares', CLAIMS, `held_by_tenant, held, work.id)`, `work.id)`),
  mutation('claim with a cap that is one too high', CLAIMS, `or work.cap > (`, `or work.cap + 1 > (`),
  mutation(
    'claim under a cap without its lock',
    CLAIMS,
    "await tx.query(`select pg_advisory_xact_lock(hashtextextended('quota ' || $1, 0))`, [quota]);",
    '',
  ),
];

const splits: readonly Mutation[] = [
  mutation('split within what is reserved', SPLITS, `and reserved < $2 and`, `and cursor < $2 and`),
  mutation(
    'split of a lease that has ended',
    SPLITS,
    `where id = $1 and state in ('held', 'waiting') and`,
    `where id = $1 and`,
  ),
  mutation(
    'split that forgets to count',
    LEASES,
    "await tx.query('update work set remaining = remaining + $2 where id = $1', [work, rows.length]);",
    '',
  ),
  mutation(
    'split that keeps its old end',
    SPLITS,
    `set up_to = $2 from old`,
    `set up_to = old.up_to from old`,
  ),
  mutation('a holder that does not notice a split', RUN, ` || !shard.covers(item.key)`, ``),
  mutation(
    'parts can be split',
    'src/scans/segments/add-segments.ts',
    `    await fixLeases(tx, leases);\n`,
    ``,
  ),
  mutation('retried objects can be split', RETRY, `  await fixLeases(tx, leases);\n`, ``),
  mutation(
    'the last part but one ends the object',
    'src/scans/segments/end-segment.ts',
    `if (left > 0) return null;`,
    `if (left > 1) return null;`,
  ),
];

const shards: readonly Mutation[] = [
  mutation(
    'the cursor jumps over what is unfinished',
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
    'a pause forgotten at the next checkpoint',
    PROGRESS,
    `this.#stopping ||= held.paused;`,
    `this.#stopping = held.paused;`,
  ),
  mutation('a pause that nobody notices', PROGRESS, `this.#stopping ||= held.paused;`, ``),
  mutation(
    'an object that kills is not named',
    RUN,
    `  await nameSuspect(tools.db, shard.held.work, item.key);\n`,
    ``,
  ),
  mutation('what is begun is not reserved', PROGRESS, `    this.#reserved = key;\n`, ``),
  mutation(
    'the scan ends one shard too early',
    PROGRESS,
    `if (remaining === 0) await`,
    `if (remaining === 1 || remaining === 0) await`,
  ),
  mutation(
    'the last shard that fails ends nothing',
    'src/scans/shard/requeue-or-fail.ts',
    `    if (remaining === 0) await lastShardEnded(jobs, tx, held.work, tell);\n`,
    ``,
  ),
];

const ends: readonly Mutation[] = [
  {
    name: 'finalize is carried out twice',
    edits: [
      {
        file: FINALIZE,
        from: `if (!(await moveScan(tx, scan, ['finalizing'], 'finalizing'))) return;`,
        to: ``,
      },
      { file: SCANS, from: ` where id = $1 and status = 'finalizing'`, to: ` where id = $1` },
    ],
  },
  mutation(
    'a scan with dead objects is completed',
    FINALIZE,
    `if (dead > 0) return`,
    `if (dead > 1e9) return`,
  ),
  mutation(
    'a scan with failed shards is completed',
    FINALIZE,
    `if (work.failed > 0)`,
    `if (work.failed > 1e9)`,
  ),
  mutation(
    'hooks of an older end are sent again',
    'src/scans/hooks/hook-store.ts',
    `where scan_id = $1 and hook.round = scan.round and state = 'waiting' order by n`,
    `where scan_id = $1 order by n`,
  ),
  mutation(
    'cancel leaves what is held',
    WORKS,
    `where work_id = $1 and state in ('waiting', 'held')`,
    `where work_id = $1 and state in ('waiting')`,
  ),
  mutation(
    'cancel does not look twice',
    WORKS,
    `n > 0; n = await cancelLeases(tx, id)) ended += n;`,
    `n > 0; n = 0) ended += n;`,
  ),
  mutation(
    'cancel leaves letters that wait for a retry',
    'src/scans/lifecycle/control-scan.ts',
    `if (remaining !== null) await reopenTaken(tx, id);`,
    ``,
  ),
  mutation(
    'pause locks in the other order',
    'src/scans/lifecycle/control-scan.ts',
    `    await lockWork(tx, id);\n`,
    ``,
  ),
  mutation('a retried object is listed twice', CHECKPOINT, `to.retrying ? 0 : tally.listed`, `tally.listed`),
  mutation(
    'a retried object is in the ledger twice',
    CHECKPOINT,
    `[...tally.ledger(carried), ...before]`,
    `tally.ledger(carried)`,
  ),
  mutation(
    'a retried object keeps its letter',
    CHECKPOINT,
    `  await resolveDeadObjects(tx, scan, keys);\n`,
    ``,
  ),
  mutation(
    'a retry is taken by everybody who asks',
    'src/scans/dead-letters/letter-store.ts',
    `paramsOf({ ...filter, state: 'open' }),`,
    `paramsOf(filter),`,
  ),
  mutation('a retry that does not open the scan again', RETRY, `    await reopenScan(tx, scan);\n`, ``),
  mutation(
    'a retry is overtaken by the end of its scan',
    SCANS,
    ` and (finished_at is not null or status = 'finalizing')`,
    ` and finished_at is not null`,
  ),
  mutation(
    'a late resume takes back the last word',
    SCANS,
    ` where id = $1 and finished_at is null', [id, error]`,
    ` where id = $1', [id, error]`,
  ),
  mutation(
    'old scans are put together while one is opened again',
    'src/scans/retention/retention-store.ts',
    `\n     for update of scan skip locked`,
    ``,
  ),
];

const stories: readonly Mutation[] = [
  mutation(
    'a completed shard is not told',
    PROGRESS,
    `if (remaining !== null) tell`,
    `if (remaining === 0) tell`,
  ),
  mutation(
    'a split is told though the holder was faster',
    'src/scans/planning/split-shard.ts',
    `    if (added.length === 0) return 0;\n`,
    `    if (added.length === 0) tell(scan, { type: 'split', shard: lease, into: [lease] });\n    if (added.length === 0) return 0;\n`,
  ),
  mutation('parts of huge objects are not told', CHECKPOINT, `if (shards > 0) tell`, `if (shards < 0) tell`),
  mutation(
    'a pause is told of a scan that has ended',
    'src/scans/lifecycle/control-scan.ts',
    `    if (!changed && !(await moveScan(tx, id, [status], status))) return;\n`,
    `    if (!changed) tell(id, { type: status, why });\n    if (!changed) return;\n`,
  ),
  mutation(
    'a resume is told of a scan that has ended',
    'src/scans/lifecycle/resume-scan.ts',
    `if (resumed) tell(`,
    `if (resumed || changed || !changed) tell(`,
  ),
  mutation('two begin a scan', STORY, `told.some(isStart) && (await`, `told.length === 0 && (await`),
  mutation(
    'who asks whether a scan has begun does not hold its head',
    'src/scans/lifecycle/scan-event-store.ts',
    `on conflict (tenant, name, id) do update set version = workflow.version`,
    `on conflict (tenant, name, id) do nothing`,
  ),
  mutation(
    'the end is told by everybody who tries',
    FINALIZE,
    `    if (!(await isFinalizing(tx, scan))) return;\n`,
    ``,
  ),
];

const leaders: readonly Mutation[] = [
  mutation(
    'a leader writes without the fence',
    LEADER,
    `where id = $1 and token = $2 and state = 'held' and expires_at >= clock() for update`,
    `where id = $1 and $2::bigint > 0 for update`,
  ),
  mutation(
    'a leader that is deposed while it writes',
    LEADER,
    `and expires_at >= clock() for update`,
    `and expires_at >= clock()`,
  ),
];

export const MUTATIONS: readonly Mutation[] = [
  ...leases,
  ...splits,
  ...shards,
  ...ends,
  ...stories,
  ...leaders,
];
