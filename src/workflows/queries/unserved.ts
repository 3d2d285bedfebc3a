/** Messages that are not delivered, because no runner serves their workflow: a mistyped name, or a missing deployment. */
import { many, type Queryable } from '../../db/database.ts';

export interface Unserved {
  readonly workflow: string;
  /** Due messages, counted up to 10,000. */
  readonly messages: number;
  /** Age of the oldest due message. */
  readonly waitingSeconds: number;
}

/** Longer than a runner takes to restart. */
export const UNSERVED_AFTER_MS = 30_000;
/** A runner without a heartbeat for this long counts as gone. */
const RUNNER_TIMEOUT_SECONDS = 60;

/** The workflow types with due messages, by a skip scan of the index, independent of the number of messages. */
export function unservedMessages(db: Queryable, afterMs = UNSERVED_AFTER_MS): Promise<Unserved[]> {
  return many<Unserved>(
    db,
    `with recursive kind as (
       (select workflow from message where parked_at is null order by workflow limit 1)
       union all
       select (
         select message.workflow from message
         where parked_at is null and message.workflow > kind.workflow
         order by message.workflow limit 1)
       from kind where kind.workflow is not null),
     first as (
       select kind.workflow, (
         select due_at from message
         where message.workflow = kind.workflow and parked_at is null
         order by due_at limit 1) as due_at
       from kind where kind.workflow is not null)
     select first.workflow, extract(epoch from clock() - first.due_at)::double precision as "waitingSeconds",
            (select count(*) from (
               select from message
               where message.workflow = first.workflow and parked_at is null and message.due_at <= clock()
               limit 10000) due) as messages
     from first
     where first.due_at < clock() - $1 * interval '1 millisecond'
       and not exists (
         select from worker
         where role = 'workflows' and first.workflow = any(worker.workflows)
           and heartbeat_at > clock() - interval '${RUNNER_TIMEOUT_SECONDS} seconds')
     order by first.workflow`,
    [afterMs],
  );
}

/** Returns one sentence. */
export function formatUnserved({ workflow, messages, waitingSeconds }: Unserved): string {
  const many = messages === 1 ? '1 message waits' : `${messages} messages wait`;
  return `${many} for the workflow ${workflow}, which no runner serves; the first has waited for ${formatDuration(waitingSeconds)}.`;
}

export const UNSERVED_ADVICE =
  'Start a runner with its code (seine runner --module FILE), or correct the name in tell(…).';

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** For a long-running process: reports each workflow once, until it is served again. */
export class UnservedMonitor {
  readonly #db: Queryable;
  #reported = new Set<string>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  async check(): Promise<string[]> {
    const unserved = await unservedMessages(this.#db);
    const added = unserved.filter(({ workflow }) => !this.#reported.has(workflow));
    this.#reported = new Set(unserved.map(({ workflow }) => workflow));
    return added.map((one) => `${formatUnserved(one)} ${UNSERVED_ADVICE}`);
  }
}
