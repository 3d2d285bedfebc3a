/** A workflow for runners under faults: each step requests one action, whose external effect is counted by its key. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../src/db/database.ts';
import type { ActionDone } from '../../../src/workflows/actions/action.ts';
import { defineWorkflow } from '../../../src/workflows/define.ts';
import { act } from '../../../src/workflows/effects.ts';

export type SteadyCommand =
  | { readonly type: 'step'; readonly slowMs?: number }
  /** Many events at once that ask for nothing, but the last of them. */
  | { readonly type: 'walk'; readonly steps: number };
type SteadyEvent =
  | { readonly type: 'stepped'; readonly slowMs: number }
  | { readonly type: 'walked'; readonly last: boolean }
  | ActionDone<'work', number>;

interface SteadyState {
  readonly events: number;
}

/** `outside` is where the effects of its actions are seen. */
export function steady(outside: Queryable | null) {
  return defineWorkflow<SteadyState, SteadyCommand, SteadyEvent>({
    name: 'steady',
    initial: () => ({ events: 0 }),
    decide: (_, command) => {
      if (command.type === 'step') return { type: 'stepped', slowMs: command.slowMs ?? 0 };
      const { steps } = command;
      return Array.from({ length: steps }, (_, n) => ({ type: 'walked' as const, last: n === steps - 1 }));
    },
    evolve: ({ events }) => ({ events: events + 1 }),
    react: (event, { events }) => {
      if (event.type === 'stepped') return act('work', { events, slowMs: event.slowMs });
      return event.type === 'walked' && event.last ? act('work', { events, slowMs: 0 }) : [];
    },
    actions: {
      work: async ({ events, slowMs }: { events: number; slowMs: number }, { idempotencyKey, signal }) => {
        if (slowMs > 0) await sleep(slowMs, undefined, { signal });
        await outside!.query(
          `insert into outside (key, calls, events, pid) values ($1, 1, $2, $3)
           on conflict (key) do update set calls = outside.calls + 1`,
          [idempotencyKey, events, process.pid],
        );
        return events;
      },
    },
  });
}
