/** What one round of reactions did, and how the rounds of a divided batch add up. */
import type { PartitionEvent } from '../../events/read-store.ts';
import type { WrittenEffects } from './write-effects.ts';

export interface ReactionRound {
  /** Events reacted to or failed; 0: idle. */
  readonly events: number;
  readonly written: WrittenEffects;
  /** Partitions found to need newer code than this runner has; another runner may be waiting for them. */
  readonly needNewer: number;
  /** A transaction was in progress when the events were read: committed events may have been hidden. */
  readonly isUnsettled?: boolean;
  /** Events were left for the next round. */
  readonly isPartial?: boolean;
  /** Nothing is left to do until the next notification. */
  readonly isDrained?: boolean;
}

export const EMPTY_ROUND: ReactionRound = {
  events: 0,
  written: { actions: 0, ended: 0, messagedWorkflows: new Set() },
  needNewer: 0,
};

/** Per partition, the position before the first event left for another round: the offset must not pass it. */
export function readBefore(
  found: readonly PartitionEvent[],
  unread: ReadonlySet<number>,
): readonly PartitionEvent[] {
  if (unread.size === 0) return found;
  const ended = new Set<number>();
  return found.filter(({ part, workflowKey }) => {
    if (unread.has(workflowKey)) ended.add(part);
    return !ended.has(part);
  });
}

export function mergeRounds(rounds: readonly ReactionRound[]): ReactionRound {
  return {
    events: rounds.reduce((sum, { events }) => sum + events, 0),
    written: {
      actions: rounds.reduce((sum, { written }) => sum + written.actions, 0),
      ended: rounds.reduce((sum, { written }) => sum + written.ended, 0),
      messagedWorkflows: new Set(rounds.flatMap(({ written }) => [...written.messagedWorkflows])),
    },
    needNewer: rounds.reduce((sum, { needNewer }) => sum + needNewer, 0),
    isPartial: rounds.some(({ isPartial }) => isPartial),
  };
}

/** Claims of a partition without progress before it is processed one event at a time. */
const ISOLATE_AFTER_CLAIMS = 3;

export function isSuspect({ claimsSinceProgress }: { readonly claimsSinceProgress: number }): boolean {
  return claimsSinceProgress >= ISOLATE_AFTER_CLAIMS;
}
