/**
 * A scan as a passive workflow: its events are recorded by the changes to the scan (scan-events.ts), never
 * by commands. So its history can be displayed, replayed up to any version, and subscribed to by other
 * workflows.
 */
import { reject } from '../../workflows/decision.ts';
import { defineWorkflow } from '../../workflows/define.ts';
import type { Typed } from '../../workflows/typed.ts';
import type { End } from '../hooks/hook.ts';

/** Numbers and names, no keys: what is found in a source stays in its own tables. */
export type ScanEvent =
  /** Submitted, with its initial number of shards. */
  | { type: 'requested'; source: string; rules: string; base: number | null; shards: number }
  /** The estimate of the plan, and its number of split points. */
  | { type: 'planned'; cuts: number; objects: number; bytes: number; calls: number }
  /** A worker has started its first shard. */
  | { type: 'started'; shard: number }
  | { type: 'split'; shard: number; into: readonly number[] }
  /** Huge objects were divided into segments, each with its own shard. */
  | { type: 'parted'; objects: number; shards: number }
  | { type: 'shardCompleted'; shard: number; listed: number; bytes: number }
  /** Failed permanently. */
  | { type: 'shardFailed'; shard: number; cause: string; listed: number; bytes: number }
  | { type: 'paused'; why: string | null }
  | { type: 'interrupted'; why: string | null }
  | { type: 'resumed'; rules: 'as before' | 'changed' }
  /** This many shards were ended at their cursors. */
  | { type: 'cancelled'; shards: number }
  | { type: 'finalizing' }
  | { type: 'finalized'; status: End; why: string | null }
  /** Finalizing failed. */
  | { type: 'failed'; cause: string }
  /** It had ended, or was being finalized, and runs again. */
  | { type: 'reopened' }
  /** Dead letters are retried: objects in one more shard, and failed shards. */
  | { type: 'retried'; objects: number; shards: number };

export interface ScanState {
  readonly status: 'new' | 'requested' | 'running' | 'paused' | 'interrupted' | 'finalizing' | End;
  readonly source: string | null;
  /** The total, and how many had each outcome. */
  readonly shards: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Shards that were split from another. */
  readonly splits: number;
  readonly listed: number;
  /** How often it has ended. */
  readonly ends: number;
}

const NEW: ScanState = {
  status: 'new',
  source: null,
  shards: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  splits: 0,
  listed: 0,
  ends: 0,
};

export const scanWorkflow = defineWorkflow<ScanState, Typed, ScanEvent>({
  name: 'scan',
  initial: () => NEW,
  decide: () => reject('a scan is driven by seine scan, pause, resume and cancel, not by commands'),
  evolve: (state, event) => ({ ...state, ...applyEvent(state, event) }),
});

function applyEvent(state: ScanState, event: ScanEvent): Partial<ScanState> {
  switch (event.type) {
    case 'requested':
      return { status: 'requested', source: event.source, shards: event.shards };
    case 'started':
      return state.status === 'requested' ? { status: 'running' } : {};
    case 'split':
      return { shards: state.shards + event.into.length, splits: state.splits + event.into.length };
    case 'parted':
      return { shards: state.shards + event.shards };
    case 'retried':
      return { shards: state.shards + (event.objects > 0 ? 1 : 0), failed: state.failed - event.shards };
    case 'shardCompleted':
      return { completed: state.completed + 1, listed: state.listed + event.listed };
    case 'shardFailed':
      return { failed: state.failed + 1 };
    case 'cancelled':
      return { cancelled: state.cancelled + event.shards };
    default:
      return applyStatusChange(state, event);
  }
}

/** Applies events that only change the status. */
function applyStatusChange({ ends }: ScanState, event: ScanEvent): Partial<ScanState> {
  switch (event.type) {
    case 'paused':
    case 'interrupted':
    case 'finalizing':
      return { status: event.type };
    case 'resumed':
    case 'reopened':
      return { status: 'running' };
    case 'finalized':
      return { status: event.status, ends: ends + 1 };
    case 'failed':
      return { status: 'failed', ends: ends + 1 };
    default:
      return {};
  }
}
