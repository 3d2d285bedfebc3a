/** Mistakes in runners, layouts and messages that the simulation of workflows must notice. */
import type { Bug } from './bugs.ts';

const REACTOR = 'src/workflows/runner/reactor.ts';
const ROUND = 'src/workflows/runner/write-round.ts';
const REACTIONS = 'src/workflows/runner/reaction-store.ts';
const HOLDINGS = 'src/workflows/runner/holdings.ts';
const GATHER = 'src/workflows/runner/gather.ts';
const LOG = 'src/events/read-store.ts';
const CURSORS = 'src/engine/leases/cursor-store.ts';
const SCALING = 'src/workflows/partitions/scaling.ts';
const DELIVER = 'src/workflows/messages/deliver.ts';
const ACTIONS = 'src/workflows/actions/action-store.ts';

function bug(name: string, file: string, from: string, to: string): Bug {
  return { name, of: 'workflows', edits: [{ file, from, to }] };
}

const HORIZON = `         and event.xid < pg_snapshot_xmin(pg_current_snapshot())
       order by event.xid, event.position
       limit $5`;

const readers: readonly Bug[] = [
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
  bug(
    'a quiet part goes on to a place that was read too late',
    REACTOR,
    `    const horizon = await readHorizon(this.#db);
    const found = places.length > 0 ? await this.#read(places, this.#options.most) : [];`,
    `    const found = places.length > 0 ? await this.#read(places, this.#options.most) : [];
    const horizon = await readHorizon(this.#db);`,
  ),
  bug(
    'versions that are missing in the log are not fetched',
    GATHER,
    'if (follow(news, reacted)) return',
    'if (follow(news, reacted) || news.length > 0) return',
  ),
  bug(
    'whoever lost a part writes nevertheless',
    HOLDINGS,
    'if (moved.length !== moves.length) throw new PartLost();',
    '',
  ),
  bug(
    'a part is moved by an old token',
    CURSORS,
    `where lease.id = mine.id and lease.token = mine.token and lease.step = mine.step and lease.state = 'held'`,
    'where lease.id = mine.id',
  ),
  bug(
    'a runner that holds nothing does not hear of a new layout',
    HOLDINGS,
    'if (this.#held.size === 0) this.#layout = null;',
    '',
  ),
  bug(
    'new readers begin where the fastest old one stood',
    SCALING,
    'return cursors.toSorted()[0]!;',
    'return cursors.toSorted().at(-1)!;',
  ),
  bug('old readers go on after a change of the layout', SCALING, 'await cancelWork(tx, old.work);', ''),
];

const reactions: readonly Bug[] = [
  bug(
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
  bug(
    'an event that failed is left behind',
    ROUND,
    'if (setbacks.length > 0) await putOffReactions(tx, setbacks);',
    '',
  ),
  bug(
    'a state is taken from memory though others went on',
    'src/workflows/runner/state-cache.ts',
    'return folded?.version === version ? folded : null;',
    'return folded ?? null;',
  ),
  bug(
    'messages that were held back during a pause stay so',
    'src/workflows/control/control-store.ts',
    `update message set due_at = clock()
     where tenant`,
    `update message set due_at = clock()
     where false and tenant`,
  ),
];

const effects: readonly Bug[] = [
  bug(
    'a message that was overtaken is gone',
    DELIVER,
    `if (outcome.outcome === 'overtaken') continue;`,
    `if (outcome.outcome === 'overtaken') gone.push(message.id);`,
  ),
  bug(
    'a message stays after its effect',
    DELIVER,
    'else gone.push(message.id);',
    'else if (gone.length + held.length > 0) gone.push(message.id);',
  ),
  bug(
    'an action that has ended is ended again',
    ACTIONS,
    `as ended(id, token, state, result, error) using (id, token)
       where action.state = 'running'`,
    `as ended(id, token, state, result, error) using (id, token)
       where action.state <> 'waiting'`,
  ),
  bug(
    'the action of a dead process is never taken over',
    ACTIONS,
    `action.state = 'running' and action.expires_at < clock()`,
    `action.state = 'running' and action.expires_at < clock() - interval '10 years'`,
  ),
  bug(
    'a command that came first is not noticed',
    'src/events/append-store.ts',
    'where workflow.key = wanted.key and workflow.version = wanted.expected',
    'where workflow.key = wanted.key',
  ),
  bug(
    'a command that is sent again has its effect again',
    'src/workflows/decide-batch.ts',
    `const repeated =
    handled ||`,
    `const repeated =
    (handled && story.folded.version < 0) ||`,
  ),
];

export const WORKFLOW_BUGS: readonly Bug[] = [...readers, ...reactions, ...effects];
