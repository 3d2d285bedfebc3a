/**
 * Cleans up after workflows that have ended: open actions, subscriptions, children to be cancelled, and the outcome of a child. The transaction that
 * ends a workflow does all of that, except in runners of earlier versions: these don't know children, and write the effects of a reaction even for a
 * workflow cancelled meanwhile.
 *
 * Each round reads a bounded number of rows by an index and continues after them in the next; at the end it starts over.
 */
import { type Database, one, type Queryable, type Tx } from '../../db/database.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { cancelActions } from '../actions/action-store.ts';
import { endChildren } from '../children/child-store.ts';
import { lockWorkflows } from '../workflow-store.ts';

const PAGE = 1000;
const PAGES = 5;

interface SweepPage<Place> {
  /** Workflows that have ended and still have such rows. */
  readonly keys: readonly number[];
  /** Of the last row read; null: there was none. */
  readonly last: Place | null;
}

export class EndedSweep {
  readonly #db: Database;
  readonly #walks: readonly KeysetScan<unknown>[];

  constructor(db: Database, page = PAGE) {
    this.#db = db;
    this.#walks = [
      new KeysetScan(openActions, 0, page),
      new KeysetScan(openChildren, 0, page),
      new KeysetScan(subscriptions, ['', '', '', ''], page),
    ] as KeysetScan<unknown>[];
  }

  /** Returns the number of workflows cleaned up. */
  async round(): Promise<number> {
    let found = 0;
    for (const walk of this.#walks)
      for (let n = 0; n < PAGES; n++) {
        const keys = await walk.next(this.#db);
        if (keys === null) break;
        if (keys.length > 0) await endOrphans(this.#db, keys);
        found += keys.length;
      }
    return found;
  }
}

class KeysetScan<Place> {
  readonly #find: (db: Queryable, after: Place, max: number) => Promise<SweepPage<Place>>;
  readonly #first: Place;
  readonly #page: number;
  #after: Place;

  constructor(
    find: (db: Queryable, after: Place, max: number) => Promise<SweepPage<Place>>,
    first: Place,
    page: number,
  ) {
    this.#find = find;
    this.#first = first;
    this.#page = page;
    this.#after = first;
  }

  /** Null: the end was reached; the next round starts over. */
  async next(db: Queryable): Promise<readonly number[] | null> {
    const { keys, last } = await this.#find(db, this.#after, this.#page);
    this.#after = last ?? this.#first;
    return last === null ? null : keys;
  }
}

/** In the global lock order: workflows, actions, children. */
async function endOrphans(db: Database, keys: readonly number[]): Promise<void> {
  const woken = await db.tx(async (tx) => {
    const heads = await lockWorkflows(tx, keys);
    const ended = [...heads.values()].flatMap(({ key, status }) =>
      status === 'completed' || status === 'cancelled' ? key : [],
    );
    await removeSubscriptions(tx, ended);
    await cancelActions(tx, ended);
    return endChildren(tx, ended);
  });
  for (const kind of woken) await notifyRunners(db, kind, 'messages');
}

async function removeSubscriptions(tx: Tx, keys: readonly number[]): Promise<void> {
  await tx.query(
    `delete from subscription using workflow
     where workflow.key = any($1::bigint[]) and subscription.tenant = workflow.tenant
       and subscription.workflow = workflow.name and subscription.workflow_id = workflow.id`,
    [keys],
  );
}

function openActions(db: Queryable, after: number, max: number): Promise<SweepPage<number>> {
  return one(
    db,
    `with page as materialized (
       select workflow_key from action
       where state in ('waiting', 'running') and workflow_key > $1
       order by workflow_key
       limit $2)
     select (select max(workflow_key) from page) as last,
            array(select key from workflow
                  where key in (select workflow_key from page) and status in ('completed', 'cancelled')) as keys`,
    [after, max],
  );
}

/** A child that has not begun still has its first command; an ended workflow with its id is another workflow. */
function openChildren(db: Queryable, after: number, max: number): Promise<SweepPage<number>> {
  return one(
    db,
    `with page as materialized (select * from child where id > $1 order by id limit $2),
     open as (select * from page where outcome is null)
     select (select max(id) from page) as last,
            array(
              select workflow.key
              from open join workflow
                on workflow.tenant = open.tenant and workflow.name = open.workflow and workflow.id = open.workflow_id
              where workflow.status in ('completed', 'cancelled')
                and not exists (
                  select from message
                  where message.tenant = open.tenant and message.workflow = open.workflow and message.workflow_id = open.workflow_id
                    and message.child_id = open.id)
              union
              select workflow.key from open join workflow on workflow.key = open.parent_key
              where workflow.status in ('completed', 'cancelled') and open.on_parent_end = 'cancel' and open.cancel_at is null) as keys`,
    [after, max],
  );
}

function subscriptions(
  db: Queryable,
  after: readonly string[],
  max: number,
): Promise<SweepPage<readonly string[]>> {
  return one(
    db,
    `with page as materialized (
       select tenant, workflow, workflow_id, name from subscription
       where (tenant, workflow, workflow_id, name) > ($1, $2, $3, $4)
       order by tenant, workflow, workflow_id, name
       limit $5)
     select (select array[tenant, workflow, workflow_id, name] from page
             order by tenant desc, workflow desc, workflow_id desc, name desc
             limit 1) as last,
            array(
              select distinct workflow.key
              from page join workflow
                on workflow.tenant = page.tenant and workflow.name = page.workflow and workflow.id = page.workflow_id
              where workflow.status in ('completed', 'cancelled')) as keys`,
    [...after, max],
  );
}
