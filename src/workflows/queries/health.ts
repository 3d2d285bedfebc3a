/** Problems that hold up workflows, besides the lag of readers; for `partitions status` and for metrics. */
import { many, type Queryable } from '../../db/database.ts';
import { recentRejections } from '../messages/rejection-store.ts';
import { findStall, formatStall, type Stall, stallAdvice } from '../stall/stall.ts';
import { formatUnserved, UNSERVED_ADVICE, type Unserved, unservedMessages } from './unserved.ts';

export interface Health {
  /** Null: the log can be read up to its end. */
  readonly stall: Stall | null;
  readonly unserved: readonly Unserved[];
  /** Per workflow type; only those with any. */
  readonly parked: readonly ParkedCounts[];
  /** Messages rejected in the last hour, as far as they are kept. */
  readonly rejected: readonly Rejections[];
}

interface Rejections {
  readonly workflow: string;
  readonly messages: number;
}

interface ParkedCounts {
  readonly workflow: string;
  readonly reactions: number;
  readonly messages: number;
}

/** Of one workflow type; null: all. */
export async function readHealth(db: Queryable, workflow: string | null = null): Promise<Health> {
  const isMeant = (one: { readonly workflow: string }) => workflow === null || one.workflow === workflow;
  return {
    stall: await findStall(db, workflow === null ? null : [workflow]),
    unserved: (await unservedMessages(db)).filter(isMeant),
    parked: (await countParked(db)).filter(isMeant),
    rejected: (await recentRejections(db)).filter(isMeant),
  };
}

export function formatHealth({ stall, unserved, parked, rejected }: Health): string[] {
  return [
    ...(stall ? [`${formatStall(stall)} ${stallAdvice(stall)}`] : []),
    ...unserved.map(formatUnserved),
    ...(unserved.length > 0 ? [UNSERVED_ADVICE] : []),
    ...parked.map((one) => `${parkedText(one)} List them: seine workflows parked ${one.workflow}`),
    ...rejected.map((one) => `${rejectedText(one)} Why: seine workflows show ${one.workflow} ID`),
  ];
}

/** Returns one sentence. */
export function parkedText({ workflow, reactions, messages }: ParkedCounts): string {
  return `Of ${workflow}, ${count(reactions, 'workflow')} and ${count(messages, 'message')} are parked.`;
}

/** Returns one sentence. */
export function rejectedText({ workflow, messages }: Rejections): string {
  return `Of ${workflow}, ${count(messages, 'message')} ${messages === 1 ? 'was' : 'were'} rejected in the last hour.`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** For a long-running process: reports each workflow type once, until an hour has passed below the limit. */
export class RejectedWatch {
  readonly #db: Queryable;
  readonly #perHour: number;
  #reported = new Set<string>();

  constructor(db: Queryable, perHour: number) {
    this.#db = db;
    this.#perHour = perHour;
  }

  async check(): Promise<string[]> {
    const rejected = (await recentRejections(this.#db)).filter(({ messages }) => messages > this.#perHour);
    const added = rejected.filter(({ workflow }) => !this.#reported.has(workflow));
    this.#reported = new Set(rejected.map(({ workflow }) => workflow));
    return added.map((one) => `${rejectedText(one)} Why: seine workflows show ${one.workflow} ID`);
  }
}

/** Uses the indexes of parked rows, which are few. */
export function countParked(db: Queryable): Promise<ParkedCounts[]> {
  return many<ParkedCounts>(
    db,
    `select workflow, (count(*) filter (where what = 'reaction'))::bigint as reactions,
            (count(*) filter (where what = 'message'))::bigint as messages
     from (
       select workflow.name as workflow, 'reaction' as what
       from reaction join workflow on workflow.key = reaction.workflow_key
       where reaction.parked_at is not null and workflow.status in ('running', 'paused')
       union all
       select workflow, 'message' from message where parked_at is not null) parked
     group by workflow
     order by workflow`,
  );
}
