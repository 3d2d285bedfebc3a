/** Invariants that must hold after every run. Each violation is returned as a sentence. */
import { type Database, many } from '../../../src/db/database.ts';
import { ALWAYS, type NoteInput, type Plan } from './relay.ts';
import { PARK_AFTER, type Stage } from './stage.ts';

interface EventRow {
  readonly key: number;
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly type: string;
  readonly data: { readonly plan?: Plan; readonly token?: string; readonly result?: number };
  readonly command: string | null;
  readonly reacted: number;
  readonly parked: boolean;
}

interface ActionRow {
  readonly id: number;
  readonly key: number;
  readonly version: number;
  readonly n: number;
  readonly input: NoteInput;
  readonly state: string;
  readonly calls: number | null;
  readonly count: number | null;
}

interface WorkflowHistory {
  readonly id: string;
  readonly key: number;
  readonly ended: boolean;
  readonly reacted: number;
  readonly parked: boolean;
  readonly events: readonly EventRow[];
  readonly actions: readonly ActionRow[];
}

export async function violatedInvariants(stage: Stage): Promise<string[]> {
  const { db, scheduler } = stage.world;
  if (scheduler.failures.length > 0) return [...scheduler.failures]; // it was broken off
  const seen = await many<{ what: string }>(db, 'select distinct what from violation limit 3', []);
  const stories = await readHistories(db);
  return [
    ...stage.broken,
    ...seen.map(({ what }) => what),
    ...stories.flatMap((story) => [
      ...versionsAreContiguous(story),
      ...allEventsReactedTo(story),
      ...actionsInOrder(story),
      ...effectsExactlyOnce(story),
      ...timersExactlyOnce(story),
      ...parkedAreFaulty(story),
    ]),
    ...messagesExactlyOnce(stories),
    ...commandsExactlyOnce(stage, stories),
    ...(await partitioningIsComplete(db)),
  ];
}

/** Parked, though nothing is wrong with it: its process ended too often. A person would try it again. */
export async function failedWithoutCause({ world }: Stage): Promise<boolean> {
  const stories = await readHistories(world.db);
  return stories.some((story) => story.parked && !story.ended && poisonOf(story) < PARK_AFTER);
}

function versionsAreContiguous({ id, events }: WorkflowHistory): string[] {
  const holes = events.some(({ version }, i) => version !== i + 1);
  return holes ? [`the versions of ${id} don't follow each other`] : [];
}

function allEventsReactedTo({ id, parked, reacted, events }: WorkflowHistory): string[] {
  if (parked || reacted === events.length) return [];
  return [`${id} has ${events.length} events, and ${reacted} were reacted to`];
}

const asks = ({ type }: EventRow) => ['added', 'heard', 'ticked'].includes(type);

/** One for each event that asks for it and was reacted to before the end, on the state after that event, in the order of the events. */
function actionsInOrder({ id, ended, reacted, events, actions }: WorkflowHistory): string[] {
  const expected = events
    .filter((event) => asks(event) && event.version <= reacted)
    .map(({ version }) => version);
  const got = actions.map(({ version }) => version); // in the order in which they were written
  const own = (upTo: number) =>
    events.filter(({ type, version }) => version <= upTo && !type.startsWith('workflow.'));
  const wrong = actions.find(
    ({ n, version, input }) => n !== 0 || input.version !== version || input.count !== own(version).length,
  );
  return [
    ...(expected.slice(0, ended ? got.length : undefined).join() === got.join()
      ? []
      : [`${id} reacted to ${expected.join()} with actions of ${got.join()}`]),
    ...(wrong ? [`the action of event ${wrong.version} of ${id} was asked for on another state`] : []),
  ];
}

/** An action that went well had its effect, and one result; one that can't go well has failed. */
function effectsExactlyOnce({ id, ended, events, actions }: WorkflowHistory): string[] {
  const cancelled = ended || events.some(({ data }) => data.plan?.cancels);
  return actions.flatMap(({ version, state, input, calls, count }) => {
    const expected = [
      input.fails >= ALWAYS ? 'failed' : 'done',
      ...(cancelled ? ['cancelled'] : []),
      ...(ended ? ['waiting'] : []), // requested while the workflow was being ended: it will never run
    ];
    const results = events.filter(({ type, data }) => type === 'note.done' && data.result === version).length;
    const broken: string[] = [];
    if (!expected.includes(state)) broken.push(`is ${state}`);
    if (state === 'done' && (calls === null || count !== input.count))
      broken.push('was done without an effect');
    if (results !== (state === 'done' ? 1 : 0)) broken.push(`is ${state} and has ${results} results`);
    return broken.map((what) => `the action of event ${version} of ${id} ${what}`);
  });
}

function timersExactlyOnce({ id, ended, reacted, events }: WorkflowHistory): string[] {
  if (ended) return [];
  return events.flatMap(({ version, data }) => {
    if (data.plan?.waits === undefined) return [];
    const ticks = events.filter(
      (one) => one.type === 'ticked' && one.data.token === `${id}/${version}`,
    ).length;
    return ticks === (version <= reacted ? 1 : 0)
      ? []
      : [`the timer of event ${version} of ${id} came ${ticks} times`];
  });
}

function parkedAreFaulty(story: WorkflowHistory): string[] {
  const { id, parked, reacted, ended } = story;
  if (parked && !ended && poisonOf(story) < PARK_AFTER)
    return [`${id} is parked at event ${reacted + 1}, which is harmless`];
  if (!parked && !ended && poisonOf(story) >= ALWAYS) return [`${id} is not parked at event ${reacted + 1}`];
  return [];
}

/** How often the reaction to its next event fails. */
function poisonOf({ events, reacted }: WorkflowHistory): number {
  const { deadly, poison = 0 } = events[reacted]?.data.plan ?? {};
  return deadly ? ALWAYS : poison;
}

function messagesExactlyOnce(stories: readonly WorkflowHistory[]): string[] {
  const heard = stories.flatMap(({ events }) =>
    events.flatMap((one) => (one.type === 'heard' ? one.data.token! : [])),
  );
  return stories.flatMap(({ id, reacted, events }) =>
    events.flatMap(({ version, data }) => {
      const to = data.plan?.tells;
      if (to === undefined) return [];
      const times = heard.filter((token) => token === `${id}/${version}`).length;
      const refused = stories.find((story) => story.id === to)?.ended === true;
      if (times === (version <= reacted ? 1 : 0) || (refused && times === 0)) return [];
      return [`${to} heard ${times} times of event ${version} of ${id}`];
    }),
  );
}

function commandsExactlyOnce({ accepted }: Stage, stories: readonly WorkflowHistory[]): string[] {
  const all = stories.flatMap(({ events }) => events.flatMap(({ command }) => command ?? []));
  const lost = accepted.filter((command) => !all.includes(command));
  const twice = all.filter((command, i) => all.indexOf(command) !== i);
  return [
    ...lost.map((command) => `command ${command} was accepted and has no event`),
    ...twice.map((command) => `command ${command} had two effects`),
  ];
}

/** One reader for each part, of the one work that is open. */
async function partitioningIsComplete(db: Database): Promise<string[]> {
  const wrong = await many<{ what: string }>(
    db,
    `select format('the layout has %s readers of %s parts', count(reader.name), layout.total) as what
     from layout left join reader on reader.workflow = layout.workflow and reader.retired_at is null
     group by layout.workflow
     having count(reader.name) <> layout.total
     union all
     select 'a reader has a lease of another layout'
     from layout join reader on reader.workflow = layout.workflow and reader.retired_at is null
     join range_lease as lease on lease.id = reader.lease_id
     where lease.group_id <> layout.group_id or lease.state not in ('waiting', 'held')
     union all
     select 'a lease of an old layout is open'
     from reader join range_lease as lease on lease.id = reader.lease_id
     where reader.retired_at is not null and lease.state in ('waiting', 'held')
     limit 3`,
    [],
  );
  return wrong.map(({ what }) => what);
}

async function readHistories(db: Database): Promise<WorkflowHistory[]> {
  const events = await many<EventRow>(
    db,
    `select key, id, status, event.version, type, data, command_id as command, coalesce(reaction.version, 0) as reacted,
            parked_at is not null as parked
     from workflow join event on event.workflow_key = key left join reaction on reaction.workflow_key = key
     order by key, event.version`,
    [],
  );
  const actions = await many<ActionRow>(
    db,
    `select action.id, workflow_key as key, action.version, n, input, state, calls, count
     from action join workflow on workflow.key = workflow_key
     left join effect on effect.key = format('%s/%s/%s/%s/%s', workflow.tenant, workflow.name, workflow.id, action.version, n)
     order by action.id`,
    [],
  );
  return [...Map.groupBy(events, ({ key }) => key)].map(([key, own]) => ({
    id: own[0]!.id,
    key,
    ended: !['running', 'paused'].includes(own[0]!.status),
    reacted: own[0]!.reacted,
    parked: own[0]!.parked,
    events: own,
    actions: actions.filter((action) => action.key === key),
  }));
}
