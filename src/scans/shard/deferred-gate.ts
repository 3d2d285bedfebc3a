import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Access } from '../../sources/access.ts';
import { openSource } from '../../sources/open.ts';
import type { RequestGate } from '../../sources/request-gate.ts';
import type { Source } from '../../sources/source.ts';
import { decodeInitialState } from '../inventory/initial-state.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { scopeOf } from '../lifecycle/scope.ts';

/** A gate that is created after the source that uses it: the quota is only known once the source is open. */
export class DeferredGate implements RequestGate {
  readonly #opened = Promise.withResolvers<RequestGate>();
  #gate: RequestGate | null = null;

  resolve(gate: RequestGate): void {
    this.#gate = gate;
    this.#opened.resolve(gate);
  }

  async admit(...[kind, bytes, signal]: Parameters<RequestGate['admit']>): Promise<void> {
    const gate = this.#gate ?? (await this.#opened.promise);
    return gate.admit(kind, bytes, signal);
  }

  throttled(retryAfterMs: number | null): void {
    this.#gate?.throttled(retryAfterMs);
  }
}

/** The gate of one scan in this process. */
export interface OpenedGate {
  readonly gate: RequestGate;
  /** Whether requests count towards a budget. */
  readonly budgeted: boolean;
  /** Releases the unused reservation. */
  close(): Promise<void>;
}

/** Opens a scan's source with its gate. */
export async function openGatedSource(
  scan: ScanRow,
  names: KeyCodec,
  settings: Access['settings'],
  openGate: (quota: string | undefined) => Promise<OpenedGate>,
): Promise<{ source: Source; opened: OpenedGate }> {
  const gate = new DeferredGate();
  const source = await openSource(scan.source, scopeOf(scan), {
    gate: gate,
    ...(settings && { settings }),
    ...decodeInitialState(scan.initialState, names),
  });
  const opened = await openGate(source.quota);
  gate.resolve(opened.gate);
  return { source, opened };
}
