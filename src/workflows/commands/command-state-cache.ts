/**
 * The states that the command queue decides on. A state that this process appended last is cached for a second, so that the next command of the
 * same workflow needs no read: the append, which expects its version, either confirms it or writes nothing.
 *
 * What an append does not confirm is read: command ids (they may have been handled long ago), and commands that lead to no events. A state is removed
 * when it is used and cached again when the append succeeded, so an append with an unknown result leaves none behind.
 */
import type { Queryable, Tx } from '../../db/database.ts';
import type { AnyWorkflow } from '../define.ts';
import type { VersionedState } from '../state/fold.ts';
import { type LoadedWorkflow, load, type ReadTime } from '../state/load.ts';
import type { LoadRequest } from '../state/load-store.ts';
import { lockWorkflowsById } from '../workflow-store.ts';
import type { AppendedWorkflow } from './decide-batch.ts';

interface CachedState {
  readonly key: number;
  /** The state is frozen, so user code can't have changed it. */
  readonly folded: VersionedState;
  readonly read: ReadTime;
  /** `performance.now()` of the append that it was cached after. */
  readonly cachedAt: number;
}

/** Between two commands. Longer, and the runner has often appended meanwhile: the append on the stale state is wasted. */
const CACHE_TTL_MS = 1000;
/** Since it was read from the database, whose clock commands are decided by. */
const MAX_CLOCK_AGE_MS = 5000;
const MAX_STATES = 1000;
/** The monotonic clock stops while the machine sleeps: then the two differ. */
const MAX_CLOCK_DRIFT_MS = 500;

export class CommandStateCache {
  readonly #kept = new Map<string, CachedState>();
  readonly #definitions = new WeakMap<AnyWorkflow, number>();
  #counter = 0;

  /** Optimistic: assumes cached states; others may write at any time. */
  async load(
    db: Queryable,
    workflow: AnyWorkflow,
    wanted: readonly LoadRequest[],
  ): Promise<LoadedWorkflow[]> {
    const kept = this.#take(workflow, wanted);
    const states = [...kept].map(([name, state]) => [name, this.#loadedOf(state, true)] as const);
    return this.#loadOthers(db, workflow, wanted, new Map(states));
  }

  /** With the workflows locked, in key order, until the transaction ends: no concurrent writes. */
  async loadLocked(tx: Tx, workflow: AnyWorkflow, wanted: readonly LoadRequest[]): Promise<LoadedWorkflow[]> {
    const kept = this.#take(workflow, wanted);
    const heads = new Map(
      (await lockWorkflowsById(tx, workflow.name, wanted)).map((head) => [head.key, head]),
    );
    const current = [...kept].filter(([, { key, folded }]) => {
      const head = heads.get(key);
      return (
        head?.version === folded.version && head.status === 'running' && head.needsVersion <= workflow.version
      );
    });
    const states = current.map(([name, state]) => [name, this.#loadedOf(state, false)] as const);
    return this.#loadOthers(tx, workflow, wanted, new Map(states));
  }

  /** Called after the append was committed. A workflow that has just begun is not cached: it may never be used again. */
  appended(workflow: AnyWorkflow, { tenant, id, key, loaded, folded }: AppendedWorkflow): void {
    const { read } = loaded;
    if (!read || loaded.key === null) return;
    const name = this.#nameOf(workflow, { tenant, id });
    this.#kept.delete(name);
    this.#kept.set(name, { key, folded, read, cachedAt: performance.now() });
    if (this.#kept.size > MAX_STATES) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** After an error: it may now be another database. */
  clear(): void {
    this.#kept.clear();
  }

  /** Keyed by definition, not by name: another definition of the same name may fold other states. */
  #nameOf(workflow: AnyWorkflow, { tenant, id }: { readonly tenant: string; readonly id: string }): string {
    const definition = this.#definitions.get(workflow) ?? this.#counter++;
    this.#definitions.set(workflow, definition);
    return `${definition}\0${tenant}\0${id}`;
  }

  /** Of workflows whose commands have no ids. */
  #take(workflow: AnyWorkflow, wanted: readonly LoadRequest[]): Map<string, CachedState> {
    const taken = new Map<string, CachedState>();
    if (this.#kept.size === 0) return taken;
    const withIds = new Set<string>();
    for (const one of wanted) {
      const name = this.#nameOf(workflow, one);
      if (one.commandId !== null) withIds.add(name);
      const kept = this.#kept.get(name);
      if (kept && isFresh(kept)) taken.set(name, kept);
      this.#kept.delete(name);
    }
    for (const name of withIds) taken.delete(name);
    return taken;
  }

  async #loadOthers(
    db: Queryable,
    workflow: AnyWorkflow,
    wanted: readonly LoadRequest[],
    known: ReadonlyMap<string, LoadedWorkflow>,
  ): Promise<LoadedWorkflow[]> {
    if (known.size === 0) return readNow(await load(db, workflow, wanted));
    const states = wanted.map((one) => known.get(this.#nameOf(workflow, one)));
    const unknown = [...states.keys()].filter((n) => states[n] === undefined);
    if (unknown.length === 0) return states as LoadedWorkflow[];
    const others = await load(
      db,
      workflow,
      unknown.map((n) => wanted[n]!),
    );
    const read = readNow(others);
    for (const [i, n] of unknown.entries()) states[n] = read[i]!;
    return states as LoadedWorkflow[];
  }

  #loadedOf({ key, folded, read }: CachedState, assumed: boolean): LoadedWorkflow {
    const now = new Date(read.database.getTime() + (performance.now() - read.monotonic));
    return {
      key,
      status: 'running',
      handled: false,
      now,
      headVersion: folded.version,
      folded,
      failure: null,
      assumed,
      read,
    };
  }
}

function readNow(loaded: readonly LoadedWorkflow[]): LoadedWorkflow[] {
  const [monotonic, system] = [performance.now(), Date.now()];
  return loaded.map((one) => ({ ...one, read: { database: one.now, monotonic, system } }));
}

function isFresh({ cachedAt, read: { monotonic, system } }: CachedState): boolean {
  const passed = performance.now() - monotonic;
  if (performance.now() - cachedAt > CACHE_TTL_MS) return false;
  return passed < MAX_CLOCK_AGE_MS && Math.abs(Date.now() - system - passed) < MAX_CLOCK_DRIFT_MS;
}
