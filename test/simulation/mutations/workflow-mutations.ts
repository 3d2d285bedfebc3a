/** Mistakes in runners, layouts and messages that the simulation of workflows must notice. */
import type { Mutation } from './mutations.ts';

const REACTOR = 'src/workflows/runner/reactor.ts';
const ROUND = 'src/workflows/runner/write-round.ts';
const REACTIONS = 'src/workflows/runner/reaction-store.ts';
const HOLDINGS = 'src/workflows/runner/partition-assignment.ts';
const GATHER = 'src/workflows/runner/fetch-events.ts';
const LOG = 'src/events/read-store.ts';
const CURSORS = 'src/engine/leases/cursor-store.ts';
const SCALING = 'src/workflows/partitions/scaling.ts';
const DELIVER = 'src/workflows/messages/deliver.ts';
const ACTIONS = 'src/workflows/actions/action-store.ts';

function mutation(name: string, file: string, from: string, to: string): Mutation {
  return { name, of: 'workflows', edits: [{ file, from, to }] };
}

const HORIZON = `         and event.xid < pg_snapshot_xmin(pg_current_snapshot())
       order by event.xid, event.position
       limit $5`;

const readers: readonly Mutation[] = [
  {
    name: 'a late commit is passed over',
    of: 'workflows',
    edits: [
      { file: LOG, from: HORIZON, to: HORIZON.slice(HORIZON.indexOf('\n') + 1) },
      {
        file: LOG,
        from: `         and event.xid < pg_snapshot_xmin(pg_current_snapshot())
         and mod`,
        to: '         and mod',
      },
    ],
  },
  mutation(
    'a quiet part goes on to a place that was read too late',
    REACTOR,
    `    const horizon = await readHorizon(this.#db);
    const found = places.length > 0 ? await this.#read(places, this.#options.most) : [];`,
    `    const found = places.length > 0 ? await this.#read(places, this.#options.most) : [];
    const horizon = await readHorizon(this.#db);`,
  ),
  mutation(
    'versions that are missing in the log are not fetched',
    GATHER,
    'if (follow(news, reacted)) return',
    'if (follow(news, reacted) || news.length > 0) return',
  ),
  mutation(
    'whoever lost a part writes nevertheless',
    HOLDINGS,
    'if (moved.length !== moves.length) throw new PartLost();',
    '',
  ),
  mutation(
    'a part is moved by an old token',
    CURSORS,
    `where lease.id = mine.id and lease.token = mine.token and lease.step = mine.step and lease.state = 'held'`,
    'where lease.id = mine.id',
  ),
  mutation(
    'a runner that holds nothing does not hear of a new layout',
    HOLDINGS,
    'if (this.#held.size === 0) this.#layout = null;',
    '',
  ),
  mutation(
    'new readers begin where the fastest old one stood',
    SCALING,
    'return cursors.toSorted()[0]!;',
    'return cursors.toSorted().at(-1)!;',
  ),
  mutation('old readers go on after a change of the layout', SCALING, 'await cancelWork(tx, old.work);', ''),
];

const reactions: readonly Mutation[] = [
  mutation(
    'what comes again is written without a fence',
    ROUND,
    'return new Map([...stay, ...found].map',
    'return new Map([...stay, ...found].slice(stay.length).map',
  ),
  {
    name: 'an event is reacted to again after an answer was lost',
    of: 'workflows',
    edits: [
      {
        file: REACTIONS,
        from: 'where workflow_key = moves.key and reaction.version = moves.was',
        to: 'where workflow_key = moves.key',
      },
      { file: HOLDINGS, from: 'if (moved.length !== moves.length) throw new PartLost();', to: '' },
    ],
  },
  mutation(
    'an event that failed is left behind',
    ROUND,
    'if (setbacks.length > 0) await putOffReactions(tx, setbacks);',
    '',
  ),
  mutation(
    'a state is taken from memory though others went on',
    'src/workflows/runner/state-cache.ts',
    'return folded?.version === version ? folded : null;',
    'return folded ?? null;',
  ),
  mutation(
    'messages that were held back during a pause stay so',
    'src/workflows/control/control-store.ts',
    `update message set due_at = clock()
     where tenant`,
    `update message set due_at = clock()
     where false and tenant`,
  ),
];

const effects: readonly Mutation[] = [
  mutation(
    'a message that was overtaken is gone',
    DELIVER,
    `if (outcome.outcome === 'overtaken') continue;`,
    `if (outcome.outcome === 'overtaken') gone.push(message.id);`,
  ),
  mutation(
    'a message stays after its effect',
    DELIVER,
    'else gone.push(message.id);',
    'else if (gone.length + held.length > 0) gone.push(message.id);',
  ),
  mutation(
    'an action that has ended is ended again',
    ACTIONS,
    `as ended(id, token, state, result, error) using (id, token)
       where action.state = 'running'`,
    `as ended(id, token, state, result, error) using (id, token)
       where action.state <> 'waiting'`,
  ),
  mutation(
    'the action of a dead process is never taken over',
    ACTIONS,
    `action.state = 'running' and action.expires_at < clock()`,
    `action.state = 'running' and action.expires_at < clock() - interval '10 years'`,
  ),
  mutation(
    'a command that came first is not noticed',
    'src/events/append-store.ts',
    'where workflow.key = wanted.key and workflow.version = wanted.expected',
    'where workflow.key = wanted.key',
  ),
  mutation(
    'a command that is sent again has its effect again',
    'src/workflows/decide-batch.ts',
    `const repeated =
    handled ||`,
    `const repeated =
    (handled && story.folded.version < 0) ||`,
  ),
];

export const WORKFLOW_MUTATIONS: readonly Mutation[] = [...readers, ...reactions, ...effects];
