/**
 * A workflow whose code has versions, for runners of several versions at once. Everything that a version writes says so (`by`): events,
 * inputs of actions, commands of timers. Each callback compares that with its own version, and what older code was given of newer code is
 * written down as a violation.
 */
import type { Queryable } from '../../../src/db/database.ts';
import type { ActionDone } from '../../../src/workflows/actions/action.ts';
import { defineWorkflow, type OldEvent } from '../../../src/workflows/define.ts';
import { act, after } from '../../../src/workflows/effects.ts';

export type VersionedCommand =
  | { readonly type: 'step' }
  | { readonly type: 'tick'; readonly by: number; readonly step: number };
type VersionedEvent =
  | { readonly type: 'stepped'; readonly by: number; readonly cents: number }
  | { readonly type: 'ticked'; readonly by: number; readonly step: number }
  | ActionDone<'work', number>;

interface VersionedState {
  readonly events: number;
  /** The highest version among its events. */
  readonly by: number;
}

export const VERSIONED_TABLES = `
  create table outside (key text primary key, calls integer not null, events integer not null, by_version integer not null);
  create table violation (version integer not null, what text not null, by_version integer not null)`;

/** `outside` is where effects and violations are seen; without it a violation is thrown. */
export function versioned(outside: Queryable | null, version: number) {
  const given = (what: string, by: number | undefined) => {
    if (by === undefined || by <= version) return;
    if (!outside) throw new Error(`Version ${version} was given what version ${by} wrote: ${what}`);
    void outside.query('insert into violation values ($1, $2, $3)', [version, what, by]).catch(() => {});
  };
  /** Version 1 counted in units. */
  const toCents = (event: OldEvent): OldEvent =>
    event.type === 'stepped' ? { ...event, cents: (event.units as number) * 100 } : event;
  const stepped = version === 1 ? { units: 7 } : { cents: 700 };
  return defineWorkflow<VersionedState, VersionedCommand, VersionedEvent>({
    name: 'versioned',
    version,
    upcast: { 1: toCents, 2: (event) => event },
    snapshotEvery: 20,
    initial: () => ({ events: 0, by: 1 }),
    decide: (state, command) => {
      given('decide: state', state.by);
      if (command.type === 'step') return { type: 'stepped', by: version, ...stepped } as VersionedEvent;
      given('decide: timer', command.by);
      return { type: 'ticked', by: version, step: command.step };
    },
    evolve: (state, event) => {
      const by = 'by' in event ? event.by : 1;
      given('evolve', by);
      return { events: state.events + 1, by: Math.max(state.by, by) };
    },
    react: (event, { events, by }, of) => {
      given('react: state', by);
      if (event.type !== 'stepped') return [];
      given('react: event', event.by);
      const cents = version === 1 ? (event as unknown as { units: number }).units * 100 : event.cents;
      return [
        act('work', { by: version, cents, events }),
        after({ seconds: 0.02 }, { type: 'tick', by: version, step: of.version }, `tick ${of.version}`),
      ];
    },
    actions: {
      work: async (input: { by: number; cents: number; events: number }, { idempotencyKey }) => {
        given('action', input.by);
        if (input.cents !== 700) throw new Error(`${input.cents} cents`);
        await outside!.query(
          `insert into outside (key, calls, events, by_version) values ($1, 1, $2, $3)
           on conflict (key) do update set calls = outside.calls + 1`,
          [idempotencyKey, input.events, version],
        );
        return input.events;
      },
    },
  });
}
