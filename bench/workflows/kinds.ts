/** The workflows that are measured: they do nothing, so that what is left is the engine. */
import type { Database } from '../../src/db/database.ts';
import type { ActionDone, ActionFailed } from '../../src/workflows/actions/action.ts';
import { type AnyWorkflow, defineWorkflow, type Workflow } from '../../src/workflows/define.ts';
import { act } from '../../src/workflows/effects.ts';

export interface Note {
  readonly type: 'note';
  readonly n: number;
}
/** Whatever takes a note. */
// biome-ignore lint/suspicious/noExplicitAny: callers only use its commands
export type Noting = Workflow<any, Note, any>;

interface Noted {
  readonly type: 'noted';
  readonly n: number;
}
type NoteEvent = Noted | ActionDone<'work', null> | ActionFailed<'work'>;

const notes = {
  initial: () => 0,
  decide: (_: number, { n }: Note): NoteEvent => ({ type: 'noted', n }),
  evolve: (sum: number, event: NoteEvent) => (event.type === 'noted' ? sum + 1 : sum),
};

/** Command, event, reaction: nothing follows. */
export const quiet = defineWorkflow<number, Note, NoteEvent>({ ...notes, name: 'quiet', react: () => [] });

/** Command, event, reaction, action, event, reaction. */
export const acting = defineWorkflow<number, Note, NoteEvent>({
  ...notes,
  name: 'acting',
  react: (event) => (event.type === 'noted' ? act('work') : []),
  actions: { work: async () => null },
});

/** As `acting`; the action counts in a table of its own how often it had its effect. */
export function counting(db: Database | null): typeof acting {
  return defineWorkflow<number, Note, NoteEvent>({
    ...acting,
    name: 'counting',
    actions: {
      work: async (_, { idempotencyKey }) => {
        await db?.query(COUNT_EFFECT, [idempotencyKey], 'effect');
        return null;
      },
    },
  });
}

export const EFFECTS = 'create table public.effect (key text primary key, times integer not null default 1)';
const COUNT_EFFECT = `insert into public.effect (key) values ($1) on conflict (key) do update set times = effect.times + 1`;

export function kindsOf(db: Database): AnyWorkflow[] {
  return [quiet, acting, counting(db)];
}
