/** The states of workflows, as of now or as of a version. */
import type { Queryable } from '../db/database.ts';
import { readStretches, readWorkflow, type Stretch } from '../events/read-store.ts';
import type { AnyWorkflow } from './define.ts';
import { begun, evolved, type Folded, fold } from './fold.ts';
import { type LoadedRow, loadWorkflows, snapshotsAt, type Wanted } from './load-store.ts';
import type { Status } from './workflow-store.ts';

export interface Loaded {
  /** Null: it has not begun. */
  readonly key: number | null;
  readonly status: Status;
  readonly handled: boolean;
  readonly now: Date;
  readonly folded: Folded;
  /** From memory: others may have written since. */
  readonly assumed?: boolean;
  readonly read?: ReadTime;
}

/** When a state was read, by three clocks. */
export interface ReadTime {
  readonly database: Date;
  readonly monotonic: number;
  readonly system: number;
}

/** Events that are read at once: a long story is told in pages. */
const PAGE = 1000;
const PORTION = 10_000;

export async function load(
  db: Queryable,
  workflow: AnyWorkflow,
  wanted: readonly Wanted[],
): Promise<Loaded[]> {
  const firsts = firstsOf(wanted);
  const whole = wanted.map((one, n) => ({ ...one, whole: firsts[n] === n }));
  const rows = await loadWorkflows(db, workflow.name, workflow.version, whole, PAGE);
  const byWanted = Map.groupBy(rows, ({ n }) => n);
  const loaded: Loaded[] = [];
  for (const n of wanted.keys()) {
    const own = byWanted.get(n)!;
    const first = loaded[firsts[n]!];
    loaded.push(first ? { ...first, handled: own[0]!.handled } : await loadedOf(db, workflow, own));
  }
  return loaded;
}

/** Of each, the number of the first that is of the same workflow. */
function firstsOf(wanted: readonly Wanted[]): number[] {
  const firsts = new Map<string, number>();
  return wanted.map(({ tenant, id }, n) => {
    const name = `${tenant}\0${id}`;
    const first = firsts.get(name) ?? n;
    firsts.set(name, first);
    return first;
  });
}

async function loadedOf(db: Queryable, workflow: AnyWorkflow, rows: readonly LoadedRow[]): Promise<Loaded> {
  const { key, status, handled, now, snapshot, snapshotVersion, headVersion } = rows[0]!;
  const from = snapshotVersion > 0 ? { version: snapshotVersion, state: snapshot } : begun(workflow);
  const events = rows.flatMap(({ event }) => event ?? []);
  const folded = fold(workflow, from, events);
  const whole = key === null ? folded : await foldUpTo(db, workflow, key, folded, headVersion);
  return { key, status, handled, now, folded: whole };
}

/** States of workflows as they were after a version: the nearest snapshot, and what happened since. Few statements for many workflows. */
export async function loadAt(
  db: Queryable,
  workflow: AnyWorkflow,
  wanted: readonly { readonly key: number; readonly version: number }[],
): Promise<Map<number, Folded>> {
  const snapshots = await snapshotsAt(db, workflow.version, wanted);
  const states = new Map<number, Folded>(
    wanted.map(({ key }) => [key, snapshots.get(key) ?? begun(workflow)]),
  );
  const stretches = wanted.map(({ key, version }) => ({
    key,
    after: states.get(key)!.version,
    upTo: version,
  }));
  for (const some of portions(stretches)) {
    for (const event of await readStretches(db, some, PAGE))
      states.set(event.workflowKey, evolved(workflow, states.get(event.workflowKey)!, event));
  }
  for (const { key, version } of wanted)
    states.set(key, await foldUpTo(db, workflow, key, states.get(key)!, version));
  return states;
}

/** As many at once as have about `PORTION` events together, so that long stories don't fill the memory. */
function portions(stretches: readonly Stretch[]): Stretch[][] {
  const all: Stretch[][] = [];
  let events = PORTION;
  for (const stretch of stretches) {
    if (events >= PORTION) {
      all.push([]);
      events = 0;
    }
    all.at(-1)!.push(stretch);
    events += Math.min(PAGE, stretch.upTo - stretch.after);
  }
  return all;
}

async function foldUpTo(
  db: Queryable,
  workflow: AnyWorkflow,
  key: number,
  from: Folded,
  version: number,
): Promise<Folded> {
  let folded = from;
  while (folded.version < version) {
    const page = await readWorkflow(db, key, folded.version, Math.min(PAGE, version - folded.version));
    if (page.length === 0 || page[0]!.version > version) break; // what came before a new beginning may have been put away
    for (const event of page) if (event.version <= version) folded = evolved(workflow, folded, event);
  }
  return folded;
}
