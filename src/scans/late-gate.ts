import type { KeyStorage } from '../base/sealed-key.ts';
import type { Access } from '../sources/access.ts';
import type { Gate } from '../sources/gate.ts';
import { openSource } from '../sources/open.ts';
import type { Source } from '../sources/source.ts';
import { stateToOpen } from './initial-state.ts';
import type { ScanRow } from './scan-store.ts';
import { scopeOf } from './scope.ts';

/** A gate that is built after the source it stands before: only the opened source knows whose limit it shares. */
export class LateGate implements Gate {
  readonly #opened = Promise.withResolvers<Gate>();
  #gate: Gate | null = null;

  opens(gate: Gate): void {
    this.#gate = gate;
    this.#opened.resolve(gate);
  }

  async pass(...[kind, bytes, signal]: Parameters<Gate['pass']>): Promise<void> {
    const gate = this.#gate ?? (await this.#opened.promise);
    return gate.pass(kind, bytes, signal);
  }

  throttled(retryAfterMs: number | null): void {
    this.#gate?.throttled(retryAfterMs);
  }
}

/** The gate of one scan in this process. */
export interface OpenedGate {
  readonly gate: Gate;
  /** Whether it counts for a budget. */
  readonly budgeted: boolean;
  /** Gives back what was reserved and not used. */
  close(): Promise<void>;
}

/** A scan's source, with what stands before it. */
export async function openBehindGate(
  scan: ScanRow,
  names: KeyStorage,
  settings: Access['settings'],
  openGate: (quota: string | undefined) => Promise<OpenedGate>,
): Promise<{ source: Source; opened: OpenedGate }> {
  const door = new LateGate();
  const source = await openSource(scan.source, scopeOf(scan), {
    gate: door,
    ...(settings && { settings }),
    ...stateToOpen(scan.initialState, names),
  });
  const opened = await openGate(source.quota);
  door.opens(opened.gate);
  return { source, opened };
}
