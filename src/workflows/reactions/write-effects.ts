/** Writes the effects of reactions, in the transaction that records their events as reacted to. */
import { one, type Tx } from '../../db/database.ts';
import type { StoredEvent, WorkflowRef } from '../../events/event.ts';
import { addActions, addActionsOfOpen, cancelActions, type NewAction } from '../actions/action-store.ts';
import { storedLimitKey } from '../actions/limits/limit-key.ts';
import {
  addChildren,
  type ChildToCancel,
  endChildren,
  type NewChild,
  openChildren,
} from '../children/child-store.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Effect } from '../effects.ts';
import { nextTime } from '../messages/cron.ts';
import {
  addMessages,
  cancelTimers,
  type NewMessage,
  type NewTimer,
  setTimers,
} from '../messages/message-store.ts';
import { toWorkflowOutcome, type WorkflowOutcome } from '../waiting/workflow-outcome.ts';
import { endWorkflows, type Head, lockTimers, lockWorkflows, raiseNeededVersion } from '../workflow-store.ts';
import type { AssignedTask } from './fetch-events.ts';
import type { ReactionResult } from './react.ts';
import { addSubscription, findSubscribers, removeSubscription } from './subscription-store.ts';

/** What was written, for notifications. */
export interface WrittenEffects {
  readonly actions: number;
  /** The workflow types that messages were sent to. */
  readonly messagedWorkflows: ReadonlySet<string>;
  /** Workflows that ended. */
  readonly ended: number;
}

interface EffectBatch {
  readonly actions: NewAction[];
  readonly numbers: Map<string, number>;
  readonly cancelled: { readonly key: number; readonly action: string }[];
  readonly messages: NewMessage[];
  /** By workflow and name; the last effect wins. */
  readonly timers: Map<string, WorkflowRef & { key: number; name: string; set: NewTimer | null }>;
  readonly subscriptions: { readonly key: number; write(): Promise<void> }[];
  /** The first effect wins. */
  readonly ended: Map<number, WorkflowOutcome>;
  readonly children: NewChild[];
  /** Those of this batch are marked in `children` as well, as far as they were asked for before. */
  readonly cancelledChildren: ChildToCancel[];
  /** Workflows that older code must not process from now on. */
  readonly raised: Set<number>;
  /** Workflows that expect a result or message later; written only for those that have not ended. */
  readonly returning: Set<number>;
}

type EffectSource = WorkflowRef & { readonly key: number };

export async function writeEffects(
  tx: Tx,
  { name: workflow, version: codeVersion, actions = {} }: Pick<AnyWorkflow, 'name' | 'version' | 'actions'>,
  reacted: readonly ReactionResult<AssignedTask>[],
): Promise<WrittenEffects> {
  const now = hasCron(reacted) ? await readClock(tx) : null;
  const batch: EffectBatch = {
    actions: [],
    numbers: new Map(),
    cancelled: [],
    messages: [],
    timers: new Map(),
    subscriptions: [],
    ended: new Map(),
    children: [],
    cancelledChildren: [],
    raised: new Set(),
    returning: new Set(),
  };
  for (const { task, reactedEvents } of reacted) {
    const source = { key: task.key, tenant: task.tenant, workflow, id: task.id };
    for (const { event, effects } of reactedEvents) {
      const granted = task.ended ? effects.filter(survivesEnd) : effects;
      for (const effect of granted) collectEffect(tx, batch, source, event, effect, now);
      if (!granted.some(returnsLater)) continue;
      batch.returning.add(task.key);
      if (task.needsVersion < codeVersion) batch.raised.add(task.key);
    }
  }
  for (const [i, action] of batch.actions.entries())
    batch.actions[i] = { ...action, limitKey: storedLimitKey(actions[action.name], action.input) };
  const { woken, acts } = await writeEffectBatch(tx, batch, codeVersion);
  const subscribers = await notifySubscribers(tx, workflow, reacted);
  return {
    actions: acts,
    ended: batch.ended.size,
    messagedWorkflows: new Set([
      ...[...batch.messages, ...subscribers, ...batch.timers.values()].map((to) => to.workflow),
      ...woken,
    ]),
  };
}

/** The effects a workflow that has ended may still have; the others are dropped. */
function survivesEnd(effect: Effect): boolean {
  return !returnsLater(effect);
}

/** Effects whose result comes back to the workflow in a format of this code version. */
function returnsLater(effect: Effect): boolean {
  return ['act', 'set timer', 'subscribe', 'start child'].includes(effect.do);
}

function collectEffect(
  tx: Tx,
  batch: EffectBatch,
  source: EffectSource,
  { version, at, trace }: StoredEvent,
  effect: Effect,
  now: Date | null,
): void {
  const { key, tenant, workflow, id } = source;
  const address = { tenant, workflow, id };
  switch (effect.do) {
    case 'act': {
      const event = `${key} ${version}`;
      const n = batch.numbers.get(event) ?? 0;
      batch.numbers.set(event, n + 1);
      const { action: name, input, key: ownKey = null } = effect;
      batch.actions.push({
        tenant,
        workflowKey: key,
        workflow,
        version,
        n,
        name,
        input,
        key: ownKey,
        trace,
      });
      break;
    }
    case 'cancel action': {
      batch.cancelled.push({ key, action: effect.action });
      const isMeant = (action: NewAction) => action.workflowKey === key && action.name === effect.action;
      for (const [i, action] of batch.actions.entries())
        if (isMeant(action)) batch.actions[i] = { ...action, cancelled: true };
      break;
    }
    case 'set timer':
    case 'cancel timer': {
      const set = effect.do === 'set timer' ? timerOf(address, effect, at, now) : null;
      batch.timers.set(`${key} ${effect.name}`, { ...address, key, name: effect.name, set });
      break;
    }
    case 'tell':
      batch.messages.push({
        tenant,
        workflow: effect.workflow,
        id: effect.id,
        kind: 'command',
        body: effect.command,
        trace,
      });
      break;
    case 'subscribe':
      batch.subscriptions.push({ key, write: () => addSubscription(tx, address, effect.name, effect.to) });
      break;
    case 'unsubscribe':
      batch.subscriptions.push({ key, write: () => removeSubscription(tx, address, effect.name) });
      break;
    case 'start child':
      batch.children.push({ tenant, parentKey: key, parentWorkflow: workflow, parentId: id, start: effect });
      break;
    case 'cancel child': {
      batch.cancelledChildren.push({ tenant, parentKey: key, workflow: effect.workflow, id: effect.id });
      const isMeant = ({ parentKey, start }: NewChild) =>
        parentKey === key && start.workflow === effect.workflow && start.id === effect.id;
      for (const [i, child] of batch.children.entries())
        if (isMeant(child)) batch.children[i] = { ...child, cancelled: true };
      break;
    }
    case 'complete':
    case 'fail':
      if (!batch.ended.has(key)) batch.ended.set(key, toWorkflowOutcome(effect));
  }
}

function hasCron(reacted: readonly ReactionResult<AssignedTask>[]): boolean {
  const effects = reacted.flatMap(({ reactedEvents }) => reactedEvents.flatMap((one) => one.effects));
  return effects.some((effect) => effect.do === 'set timer' && 'cron' in effect.when);
}

async function readClock(tx: Tx): Promise<Date> {
  return (await one<{ now: Date }>(tx, 'select clock() as now')).now;
}

/** A wait counts from the event, so a late reaction doesn't delay the timer. A cron timer is computed from now. */
function timerOf(
  address: WorkflowRef,
  { name, command: body, when }: Extract<Effect, { do: 'set timer' }>,
  eventAt: Date,
  now: Date | null,
): NewTimer {
  const timer = { ...address, name, body, cron: null, zone: null };
  if ('afterMs' in when) return { ...timer, since: eventAt, afterMs: when.afterMs };
  if ('at' in when) return { ...timer, since: new Date(when.at), afterMs: 0 };
  const { cron, zone } = when;
  return { ...timer, since: nextTime(cron, zone, now!), afterMs: 0, cron, zone };
}

/**
 * Locks in the global order: messages, workflows, actions, children. Returns the workflow types whose children changed, and the number of actions
 * added.
 *
 * A workflow may have ended since its events were read. Its status is read again under its lock, before anything is written that it would receive
 * later: a transaction that ended it earlier is visible here, and one that ends it later waits for this lock and then finds these rows. Timers are
 * messages, so they are written before; those of ended workflows are deleted again.
 */
async function writeEffectBatch(
  tx: Tx,
  batch: EffectBatch,
  codeVersion: number,
): Promise<{ woken: Set<string>; acts: number }> {
  const { messages, timers, cancelled, cancelledChildren, raised, returning } = batch;
  if (hasOnlyActions(batch)) {
    if (batch.actions.length > 0) await addActionsOfOpen(tx, batch.actions);
    return { woken: new Set(), acts: batch.actions.length };
  }
  const ended = [...batch.ended.keys()];
  if (ended.length > 0) await lockTimers(tx, ended);
  const set = [...timers.values()].filter((timer) => timer.set !== null);
  const unset = [...timers.values()].filter((timer) => timer.set === null);
  if (set.length > 0)
    await setTimers(
      tx,
      set.map((timer) => timer.set!),
    );
  if (unset.length > 0) await cancelTimers(tx, unset);
  const cancelling = [
    ...cancelled.map(({ key }) => key),
    ...cancelledChildren.map(({ parentKey }) => parentKey),
  ];
  const locked = new Set([...cancelling, ...ended, ...returning]);
  const heads = locked.size > 0 ? await lockWorkflows(tx, [...locked]) : new Map<number, Head>();
  const isOpen = (key: number) => ['running', 'paused'].includes(heads.get(key)?.status ?? '');
  const late = set.filter(({ key }) => !isOpen(key));
  if (late.length > 0) await cancelTimers(tx, late);
  if (raised.size > 0) await raiseNeededVersion(tx, [...raised].filter(isOpen), codeVersion);
  for (const { key, action } of cancelled) await cancelActions(tx, [key], action);
  const actions = batch.actions.filter(({ workflowKey }) => isOpen(workflowKey));
  if (actions.length > 0) await addActions(tx, actions);
  for (const { key, write } of batch.subscriptions) if (isOpen(key) || !returning.has(key)) await write();
  // Before children are added: a reaction that cancels one and starts another with its id must not cancel the new one.
  const openChildKeys = cancelledChildren.length > 0 ? await openChildren(tx, cancelledChildren) : [];
  const children = batch.children.filter(({ parentKey }) => isOpen(parentKey));
  if (children.length > 0) await addChildren(tx, children);
  // After the commands that start children: a child that is also sent a command here begins with its first command.
  if (messages.length > 0) await addMessages(tx, messages);
  const woken = new Set(children.flatMap(({ start, parentWorkflow }) => [start.workflow, parentWorkflow]));
  if (ended.length > 0)
    await endWorkflows(tx, ended, 'completed', { endings: batch.ended, woken, cancelled: openChildKeys });
  else if (openChildKeys.length > 0)
    for (const kind of await endChildren(tx, [], openChildKeys)) woken.add(kind);
  return { woken, acts: actions.length };
}

/** The usual batch. A key of its own requires a check against the actions that are open once the workflow is locked. */
function hasOnlyActions({ actions, returning, numbers, ...others }: EffectBatch): boolean {
  const sizes = Object.values(others).map((list) => (Array.isArray(list) ? list.length : list.size));
  return sizes.every((size) => size === 0) && actions.every(({ key }) => key === null);
}

/** After the subscriptions of this batch, so that they receive its events. */
async function notifySubscribers(
  tx: Tx,
  workflow: string,
  reacted: readonly ReactionResult<AssignedTask>[],
): Promise<NewMessage[]> {
  const events = reacted.flatMap(({ task, reactedEvents }) =>
    reactedEvents
      .filter(({ event }) => !event.type.startsWith(SYSTEM_EVENT_PREFIX))
      .map(({ event }) => ({ ...event, workflow, tenant: task.tenant, id: task.id })),
  );
  const subscribers = await findSubscribers(tx, events);
  const messages = subscribers.map(({ n, workflow: to, id }): NewMessage => {
    const { tenant, id: from, version, type, schema, data, tags, at, trace } = events[n]!;
    return {
      tenant,
      workflow: to,
      id,
      kind: 'event',
      body: { workflow, id: from, version, type, schema, data, tags, at },
      trace,
    };
  });
  if (messages.length > 0) await addMessages(tx, messages);
  return messages;
}
