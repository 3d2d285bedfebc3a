/** A small workflow for the tests of the spec kit: one of each thing a workflow can do. */
import type { ActionDone, ActionFailed } from '../actions/action.ts';
import { continueAsNew, reject } from '../decision.ts';
import { defineWorkflow, type Schema } from '../define.ts';
import {
  act,
  after,
  cancelAction,
  cancelTimer,
  complete,
  every,
  subscribe,
  tell,
  unsubscribe,
} from '../effects.ts';

export type ParcelCommand =
  | { readonly type: 'send'; readonly grams: number }
  | { readonly type: 'weigh' }
  | { readonly type: 'arrive' }
  | { readonly type: 'remind' }
  | { readonly type: 'stop reminders' }
  | { readonly type: 'forget' };

export type ParcelEvent =
  | { readonly type: 'sent'; readonly grams: number; readonly on?: string | undefined }
  | { readonly type: 'weighed' }
  | { readonly type: 'arrived' }
  | { readonly type: 'reminded' }
  | { readonly type: 'reminders stopped' }
  | ActionDone<'book', string>
  | ActionFailed<'book'>;

export interface ParcelState {
  readonly grams: number;
  readonly history: readonly string[];
}

export const parcel = defineWorkflow<ParcelState, ParcelCommand, ParcelEvent>({
  name: 'parcel',
  version: 2,
  initial: () => ({ grams: 0, history: [] }),
  decide: (state, command, { now }) => {
    if (command.type === 'send') {
      if (state.grams > 0) return reject('already sent');
      return [
        { type: 'sent', grams: command.grams, on: now.toISOString().slice(0, 10) },
        { type: 'weighed' },
      ];
    }
    if (command.type === 'weigh') return [];
    if (command.type === 'arrive') return { type: 'arrived' };
    if (command.type === 'remind') return { type: 'reminded' };
    if (command.type === 'stop reminders') return { type: 'reminders stopped' };
    return continueAsNew({ grams: state.grams, history: ['forgotten'] });
  },
  evolve: (state, event) => ({
    grams: event.type === 'sent' ? event.grams : state.grams,
    history: [...state.history, event.type],
  }),
  react: (event, _state, { id }) => {
    if (event.type === 'sent')
      return [act('book', { grams: event.grams }), after({ days: 2 }, { type: 'remind' }, 'once')];
    if (event.type === 'book.done')
      return [
        every('0 9 * * *', 'Europe/Berlin', { type: 'remind' }, 'daily'),
        tell(depot, 'north', { type: 'take', parcel: id }),
      ];
    if (event.type === 'book.failed') return [cancelTimer('once'), complete()];
    if (event.type === 'reminders stopped')
      return [cancelTimer('once'), cancelTimer('daily'), cancelAction('book')];
    if (event.type === 'arrived') return complete();
    return [];
  },
  actions: {
    book: { run: async () => 'booked', attempts: 3, timeout: { seconds: 30 }, firstWait: { seconds: 10 } },
  },
  upcast: {
    1: (event) => (event.type === 'sent' ? { type: 'sent', grams: Number(event.kilos) * 1000 } : event),
  },
  tags: (event) => (event.type === 'sent' && event.grams > 1000 ? ['heavy', 'post'] : ['post']),
  schema: {
    command: schemaOf((command) =>
      command.type === 'send' && !(command.grams > 0) ? ['grams', 'must be more than 0'] : null,
    ),
    event: schemaOf((event) =>
      event.type === 'sent' && !(event.grams > 0) ? ['grams', 'must be more than 0'] : null,
    ),
  },
});

export type DepotCommand =
  | { readonly type: 'take'; readonly parcel: string }
  | { readonly type: 'note'; readonly what: string }
  | { readonly type: 'watch'; readonly tags: readonly string[]; readonly everyTag: boolean }
  | { readonly type: 'look away' };
export type DepotEvent =
  | { readonly type: 'taken'; readonly parcel: string }
  | { readonly type: 'noted'; readonly what: string }
  | { readonly type: 'watching'; readonly tags: readonly string[]; readonly everyTag: boolean }
  | { readonly type: 'looked away' };

export const depot = defineWorkflow<readonly string[], DepotCommand, DepotEvent>({
  name: 'depot',
  initial: () => [],
  decide: (held, command) => {
    if (command.type === 'watch') return { ...command, type: 'watching' };
    if (command.type === 'look away') return { type: 'looked away' };
    if (command.type === 'note') return { type: 'noted', what: command.what };
    return held.includes(command.parcel)
      ? reject(`${command.parcel} is here`)
      : { type: 'taken', parcel: command.parcel };
  },
  evolve: (held, event) => (event.type === 'taken' ? [...held, event.parcel] : held),
  react: (event) => {
    const { type } = event;
    if (type === 'watching')
      return subscribe('parcels', { workflow: 'parcel', tags: event.tags, everyTag: event.everyTag });
    return type === 'looked away' ? unsubscribe('parcels') : [];
  },
  receive: ({ id, type }) => (type === 'weighed' ? null : { type: 'note', what: `${id} ${type}` }),
});

/** Answers later, as a validator may. */
function schemaOf<T>(issueOf: (value: T) => readonly [string, string] | null): Schema<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'seine',
      validate: async (value) => {
        const issue = issueOf(value as T);
        return issue ? { issues: [{ path: [issue[0]], message: issue[1] }] } : { value: value as T };
      },
    },
  };
}
