/** Loads the states of workflows, current or at a version. */
import { SeineError } from '../../base/errors.ts';
import type { Queryable } from '../../db/database.ts';
import { readVersionRanges, readWorkflow, type VersionRange } from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import { withId } from '../user-code/code-error.ts';
import { EventLoopShare } from '../user-code/event-loop-share.ts';
import { deepFreezeStored } from '../user-code/frozen.ts';
import { newerVersionRequired } from '../versions/newer-version.ts';
import type { Status } from '../workflow-store.ts';
import { EventsMissing, type FoldResult, initialState, tryFold, type VersionedState } from './fold.ts';
import { type LoadedRow, type LoadRequest, lastBeginning, loadWorkflows, snapshotsAt } from './load-store.ts';

/** With `failure`, its history could not be folded further; the other fields are valid. */
export interface LoadedWorkflow extends FoldResult {
  /** Null: it has not begun. */
  readonly key: number | null;
  readonly status: Status;
  readonly handled: boolean;
  readonly now: Date;
  /** From the cache: others may have written since. */
  readonly assumed?: boolean;
  /** Version of its last event, which may have been deleted. */
  readonly headVersion: number;
  readonly read?: ReadTime;
}

/** When a state was read, by three clocks. */
export interface ReadTime {
  readonly database: Date;
  readonly monotonic: number;
  readonly system: number;
}

/** Events read at once; long histories are read in pages. */
const PAGE = 1000;
const MAX_EVENTS_PER_READ = 10_000;

/** A history that can't be folded fails alone, with an error that names its workflow. */
export async function load(
  db: Queryable,
  workflow: AnyWorkflow,
  wanted: readonly LoadRequest[],
): Promise<LoadedWorkflow[]> {
  const firstIndex = firstIndexes(wanted);
  const requests = wanted.map((one, n) => ({ ...one, whole: firstIndex[n] === n }));
  const loaded = new Map<number, LoadedWorkflow>();
  const share = new EventLoopShare();
  for (let left = [...wanted.keys()]; left.length > 0; left = left.filter((n) => !loaded.has(n))) {
    const batch = left.map((n) => requests[n]!);
    const rows = await loadWorkflows(db, workflow, batch, { each: PAGE, portion: MAX_EVENTS_PER_READ });
    const byWanted = Map.groupBy(rows, ({ n }) => left[n]!);
    for (const n of left) {
      const own = byWanted.get(n)!;
      // All commands to one workflow must be read by one statement, so that `handled` is consistent with the state.
      if (!byWanted.get(firstIndex[n]!)![0]!.isRead) continue;
      const first = loaded.get(firstIndex[n]!);
      const { id } = wanted[n]!;
      loaded.set(
        n,
        first
          ? { ...first, handled: own[0]!.handled }
          : withWorkflowId(await foldRows(db, workflow, id, own), id),
      );
      if (share.isUsed) await share.yieldNow();
    }
  }
  return [...wanted.keys()].map((n) => loaded.get(n)!);
}

/** For each request, the index of the first one for the same workflow. */
function firstIndexes(wanted: readonly LoadRequest[]): number[] {
  const firsts = new Map<string, number>();
  return wanted.map(({ tenant, id }, n) => {
    const name = `${tenant}\0${id}`;
    const first = firsts.get(name) ?? n;
    firsts.set(name, first);
    return first;
  });
}

/** For callers who need the whole history. */
export function requireComplete({ folded, failure }: FoldResult): VersionedState {
  if (failure !== null) throw failure;
  return folded;
}

function withWorkflowId<T extends FoldResult>(folding: T, id: string): T {
  return folding.failure === null ? folding : { ...folding, failure: withId(folding.failure, id) as Error };
}

async function foldRows(
  db: Queryable,
  workflow: AnyWorkflow,
  id: string,
  rows: readonly LoadedRow[],
): Promise<LoadedWorkflow> {
  const { key, status, handled, now, snapshot, snapshotVersion, headVersion } = rows[0]!;
  const row = { key, status, handled, now, headVersion };
  const needs = Math.max(rows[0]!.needsVersion, ...rows.map(({ event }) => event?.schema ?? 1));
  if (needs > workflow.version) {
    const folded = { version: headVersion, state: undefined };
    return { ...row, folded, failure: newerVersionRequired(workflow, id, needs) };
  }
  const from = foldBase(workflow, snapshotVersion > 0 ? { version: snapshotVersion, state: snapshot } : null);
  if (from.failure !== null) return { ...row, ...from };
  const events = rows.flatMap(({ event }) => event ?? []);
  const folding = tryFold(workflow, from.folded, events, id);
  if (key === null) return { ...row, ...folding };
  const whole = await foldRest(db, workflow, { key, id, version: headVersion }, folding);
  const isGone = whole.failure === null && whole.folded.version < headVersion;
  return { ...row, ...whole, ...(isGone && { failure: eventsGone(workflow, id) }) };
}

/** The workflow has ended: events that a state depends on are deleted only then. */
function eventsGone({ name }: AnyWorkflow, id: string): SeineError {
  return new SeineError(
    'not-found',
    `The events of ${name} ${id} were archived or purged, so its state is not known.`,
    {
      hint: `Show what is left: seine workflows show ${name} ${id}`,
    },
  );
}

/** Where folding starts. `initial` is user code; a snapshot was written by Seine. */
function foldBase(workflow: AnyWorkflow, snapshot: VersionedState | null): FoldResult {
  try {
    const folded = snapshot
      ? { version: snapshot.version, state: deepFreezeStored(snapshot.state) }
      : initialState(workflow);
    return { folded, failure: null };
  } catch (error) {
    return { folded: { version: 0, state: undefined }, failure: error as Error };
  }
}

interface WantedVersion {
  readonly key: number;
  readonly id: string;
  readonly version: number;
}

/** States of workflows at a version: the nearest snapshot, and the events since. Few statements for many workflows. */
export async function loadAt(
  db: Queryable,
  workflow: AnyWorkflow,
  wanted: readonly WantedVersion[],
): Promise<Map<number, FoldResult>> {
  const old = wanted.filter(({ version }) => version > 0);
  const snapshots = old.length > 0 ? await snapshotsAt(db, workflow, old) : new Map<number, VersionedState>();
  const states = new Map<number, FoldResult>(
    wanted.map(({ key }) => [key, foldBase(workflow, snapshots.get(key) ?? null)]),
  );
  const ranges = wanted
    .filter(({ key, version }) => version > 0 && states.get(key)!.failure === null)
    .map(({ key, version }) => ({ key, after: states.get(key)!.folded.version, upTo: version }));
  const ids = new Map(wanted.map(({ key, id }) => [key, id]));
  for (const some of chunkByEvents(ranges)) await foldRanges(db, workflow, some, states, ids);
  for (const one of wanted) {
    const folding = await foldRest(db, workflow, one, states.get(one.key)!);
    states.set(one.key, withWorkflowId(folding, one.id));
  }
  return states;
}

async function foldRanges(
  db: Queryable,
  workflow: AnyWorkflow,
  ranges: readonly VersionRange[],
  states: Map<number, FoldResult>,
  ids: ReadonlyMap<number, string>,
): Promise<void> {
  const events = await readVersionRanges(db, ranges, PAGE);
  const share = new EventLoopShare();
  for (const [key, history] of Map.groupBy(events, ({ workflowKey }) => workflowKey)) {
    states.set(key, tryFold(workflow, states.get(key)!.folded, history, ids.get(key)));
    if (share.isUsed) await share.yieldNow();
  }
}

/** Chunks of about `MAX_EVENTS_PER_READ` events, which bounds the memory. */
function chunkByEvents(ranges: readonly VersionRange[]): VersionRange[][] {
  const all: VersionRange[][] = [];
  let events = MAX_EVENTS_PER_READ;
  for (const range of ranges) {
    if (events >= MAX_EVENTS_PER_READ) {
      all.push([]);
      events = 0;
    }
    all.at(-1)!.push(range);
    events += Math.min(PAGE, range.upTo - range.after);
  }
  return all;
}

/**
 * Folds the remaining events up to the version. An interrupted archive leaves some of the events before a continue-as-new: these are skipped. The
 * events left by an interrupted purge don't determine a state.
 */
async function foldRest(
  db: Queryable,
  workflow: AnyWorkflow,
  wanted: WantedVersion,
  start: FoldResult,
): Promise<FoldResult> {
  const { key, id, version } = wanted;
  const folding =
    start.failure === null ? await foldUpTo(db, workflow, wanted, start.folded, version) : start;
  if (!(folding.failure instanceof EventsMissing)) return folding;
  const beginning = await lastBeginning(db, { key, after: folding.folded.version, upTo: version });
  if (beginning === null) return { ...folding, failure: eventsGone(workflow, id) };
  const fromBeginning = { version: beginning - 1, state: undefined };
  return foldRest(db, workflow, wanted, { folded: fromBeginning, failure: null });
}

async function foldUpTo(
  db: Queryable,
  workflow: AnyWorkflow,
  { key, id }: { readonly key: number; readonly id: string },
  from: VersionedState,
  version: number,
): Promise<FoldResult> {
  let folding: FoldResult = { folded: from, failure: null };
  const share = new EventLoopShare();
  while (folding.failure === null && folding.folded.version < version) {
    const after = folding.folded.version;
    const page = await readWorkflow(db, key, after, Math.min(PAGE, version - after));
    if (page.length === 0 || page[0]!.version > version) break; // events before a continue-as-new may have been archived
    folding = tryFold(
      workflow,
      folding.folded,
      page.filter((event) => event.version <= version),
      id,
    );
    if (share.isUsed) await share.yieldNow();
  }
  return folding;
}
