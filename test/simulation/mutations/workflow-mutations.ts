/** Mutations of runners, partitionings and messages that the simulation of workflows must detect. */
import type { Mutation } from './mutations.ts';

const REACTOR = 'src/workflows/reactions/reactor.ts';
const ROUND = 'src/workflows/reactions/write-round.ts';
const REACTIONS = 'src/workflows/reactions/reaction-store.ts';
const ASSIGNMENT = 'src/workflows/partitions/partition-assignment.ts';
const FETCH = 'src/workflows/reactions/fetch-events.ts';
const LOG = 'src/events/read-store.ts';
const CURSORS = 'src/engine/leases/cursor-store.ts';
const SCALING = 'src/workflows/partitions/scaling.ts';
const DELIVER = 'src/workflows/messages/deliver.ts';
const ACTIONS = 'src/workflows/actions/action-store.ts';

function mutation(name: string, file: string, from: string, to: string): Mutation {
  return { name, of: 'workflows', edits: [{ file, from, to }] };
}

/** Limits a read to events before the last stable offset. */
const AFTER = `
           and (event.xid, event.position) > ($2::xid8, $3::bigint)`;
const STABLE = `
           and event.xid < pg_snapshot_xmin(pg_current_snapshot())`;

const readers: readonly Mutation[] = [
  {
    name: 'a late commit is skipped',
    of: 'workflows',
    edits: [
      { file: LOG, from: `place.position)${STABLE}`, to: 'place.position)' },
      ...['= $4', '= 0'].map((partition) => ({
        file: LOG,
        from: `${partition}${AFTER}${STABLE}`,
        to: `${partition}${AFTER}`,
      })),
    ],
  },
  mutation(
    'an idle partition advances to an offset that was read too late',
    REACTOR,
    `    const stableOffset = await readLastStableOffset(this.#db);
    const found = positions.length > 0 ? (await this.#read(positions, this.#options.maxEvents)).events : [];`,
    `    const found = positions.length > 0 ? (await this.#read(positions, this.#options.maxEvents)).events : [];
    const stableOffset = await readLastStableOffset(this.#db);`,
  ),
  mutation(
    'versions that are missing in the log are not fetched',
    FETCH,
    'return events.every(({ version }, i) => version === after + i + 1);',
    'return true;',
  ),
  mutation(
    'a runner that lost a partition writes nevertheless',
    ASSIGNMENT,
    'if (moved.length !== moves.length) throw new PartitionLost();',
    '',
  ),
  {
    name: 'a cursor is moved with an old token',
    of: 'workflows',
    edits: [
      {
        file: CURSORS,
        from: 'join mine on mine.id = lease.id and mine.fencing_token = lease.fencing_token and mine.claim_id = lease.claim_id',
        to: 'join mine on mine.id = lease.id',
      },
      {
        file: CURSORS,
        from: `where lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
       and lease.checkpoint_seq = mine.checkpoint_seq and lease.state = 'held'`,
        to: 'where lease.id = mine.id',
      },
    ],
  },
  mutation(
    'a runner that holds nothing misses a new partitioning',
    ASSIGNMENT,
    'if (this.#held.size === 0) this.#partitioning = null;',
    '',
  ),
  mutation(
    'new readers start at the offset of the fastest old one',
    SCALING,
    'return cursors.toSorted()[0]!;',
    'return cursors.toSorted().at(-1)!;',
  ),
  mutation(
    'old readers continue after repartitioning',
    SCALING,
    'await cancelLeaseGroup(tx, old.groupId);',
    '',
  ),
];

const reactions: readonly Mutation[] = [
  mutation(
    'retried reactions are written without the fence',
    ROUND,
    'return new Map([...stay, ...found].map',
    'return new Map([...stay, ...found].slice(stay.length).map',
  ),
  {
    name: 'an event is reacted to again after a lost acknowledgement',
    of: 'workflows',
    edits: [
      {
        file: REACTIONS,
        from: 'where workflow_key = moves.key and reaction.version = moves.was',
        to: 'where workflow_key = moves.key',
      },
      { file: ASSIGNMENT, from: 'if (moved.length !== moves.length) throw new PartitionLost();', to: '' },
    ],
  },
  mutation(
    'an event that failed is skipped',
    ROUND,
    'if (failures.length > 0) await recordReactionFailures(tx, failures);',
    '',
  ),
  mutation(
    'a cached state is used although the workflow has moved on',
    'src/workflows/reactions/state-cache.ts',
    'return folded?.version === version ? folded : null;',
    'return folded ?? null;',
  ),
  mutation(
    'messages held during a pause stay held',
    'src/workflows/control/control-store.ts',
    `update message set due_at = clock()
     where tenant`,
    `update message set due_at = clock()
     where false and tenant`,
  ),
];

const effects: readonly Mutation[] = [
  mutation(
    'a message that lost a conflict is removed',
    DELIVER,
    `if (isLeft(outcome)) continue;`,
    `if (isLeft(outcome)) {\n        gone.push(message.id);\n        continue;\n      }`,
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
    'the action of a dead process is never recovered',
    'src/workflows/actions/claim-store.ts',
    `state = 'running' and expires_at < clock() and not id`,
    `state = 'running' and expires_at < clock() - interval '10 years' and not id`,
  ),
  mutation(
    'a concurrent append is not detected',
    'src/events/append-store.ts',
    'where workflow.key = wanted.key and workflow.version = wanted.expected',
    'where workflow.key = wanted.key',
  ),
  mutation(
    'a repeated command takes effect again',
    'src/workflows/commands/decide-batch.ts',
    `const repeated =
    handled ||`,
    `const repeated =
    (handled && story.folded.version < 0) ||`,
  ),
];

export const WORKFLOW_MUTATIONS: readonly Mutation[] = [...readers, ...reactions, ...effects];
