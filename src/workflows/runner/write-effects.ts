/** Writes down what reactions ask for: in the transaction that counts their events as reacted to. */
import { one, type Tx } from '../../db/database.ts';
import type { Address } from '../../events/event.ts';
import { addActions, cancelActions, type NewAction } from '../actions/action-store.ts';
import { storedLimitKey } from '../actions/limit-key.ts';
import { OWN } from '../decision.ts';
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
import { endWorkflows, lockTimers, lockWorkflows } from '../workflow-store.ts';
import type { OwnTask } from './gather.ts';
import type { Reacted } from './react.ts';
import { addSubscription, findSubscribers, removeSubscription } from './subscription-store.ts';

/** What was written, for whoever waits for it. */
export interface Written {
  readonly actions: number;
  /** The kinds of workflows that messages were sent to. */
  readonly told: ReadonlySet<string>;
}

interface Wishes {
  readonly actions: NewAction[];
  readonly numbers: Map<string, number>;
  readonly cancelled: { readonly key: number; readonly action: string }[];
  readonly messages: NewMessage[];
  /** By workflow and name: the last word counts. */
  readonly timers: Map<string, Address & { name: string; set: NewTimer | null }>;
  readonly others: (() => Promise<void>)[];
  readonly ended: number[];
}

type Source = Address & { readonly key: number };

export async function writeEffects(
  tx: Tx,
  { name: workflow, actions = {} }: Pick<AnyWorkflow, 'name' | 'actions'>,
  reacted: readonly Reacted<OwnTask>[],
): Promise<Written> {
  const now = hasCron(reacted) ? await readClock(tx) : null;
  const wishes: Wishes = {
    actions: [],
    numbers: new Map(),
    cancelled: [],
    messages: [],
    timers: new Map(),
    others: [],
    ended: [],
  };
  for (const { task, asked } of reacted) {
    const source = { key: task.key, tenant: task.tenant, workflow, id: task.id };
    for (const { event, effects } of asked) {
      const granted = task.ended ? effects.filter(outlivesIt) : effects;
      for (const effect of granted) wish(tx, wishes, source, event.version, effect, now);
    }
  }
  for (const [i, action] of wishes.actions.entries())
    wishes.actions[i] = { ...action, limitKey: storedLimitKey(actions[action.name], action.input) };
  await grant(tx, wishes);
  const heard = await tellSubscribers(tx, workflow, reacted);
  return {
    actions: wishes.actions.length,
    told: new Set([...wishes.messages, ...heard, ...wishes.timers.values()].map((to) => to.workflow)),
  };
}

/** What a workflow that has ended may still ask for: the rest ended with it. */
function outlivesIt(effect: Effect): boolean {
  return !['act', 'set timer', 'subscribe'].includes(effect.do);
}

function wish(
  tx: Tx,
  wishes: Wishes,
  source: Source,
  version: number,
  effect: Effect,
  now: Date | null,
): void {
  const { key, tenant, workflow, id } = source;
  const address = { tenant, workflow, id };
  switch (effect.do) {
    case 'act': {
      const event = `${key} ${version}`;
      const n = wishes.numbers.get(event) ?? 0;
      wishes.numbers.set(event, n + 1);
      const { action: name, input } = effect;
      wishes.actions.push({
        tenant,
        workflowKey: key,
        workflow,
        version,
        n,
        name,
        input,
        key: effect.key ?? null,
      });
      break;
    }
    case 'cancel action': {
      wishes.cancelled.push({ key, action: effect.action });
      const isMeant = (action: NewAction) => action.workflowKey === key && action.name === effect.action;
      for (const [i, action] of wishes.actions.entries())
        if (isMeant(action)) wishes.actions[i] = { ...action, cancelled: true };
      break;
    }
    case 'set timer':
    case 'cancel timer': {
      const set = effect.do === 'set timer' ? timerOf(address, effect, now) : null;
      wishes.timers.set(`${tenant}\0${id}\0${effect.name}`, { ...address, name: effect.name, set });
      break;
    }
    case 'tell':
      wishes.messages.push({
        tenant,
        workflow: effect.workflow,
        id: effect.id,
        kind: 'command',
        body: effect.command,
      });
      break;
    case 'subscribe':
      wishes.others.push(() => addSubscription(tx, address, effect.name, effect.to));
      break;
    case 'unsubscribe':
      wishes.others.push(() => removeSubscription(tx, address, effect.name));
      break;
    case 'complete':
      wishes.ended.push(key);
  }
}

function hasCron(reacted: readonly Reacted<OwnTask>[]): boolean {
  const effects = reacted.flatMap(({ asked }) => asked.flatMap((one) => one.effects));
  return effects.some((effect) => effect.do === 'set timer' && 'cron' in effect.when);
}

async function readClock(tx: Tx): Promise<Date> {
  return (await one<{ now: Date }>(tx, 'select clock() as now')).now;
}

function timerOf(address: Address, effect: Extract<Effect, { do: 'set timer' }>, now: Date | null): NewTimer {
  const { name, command: body, when } = effect;
  if ('afterMs' in when) return { ...address, name, body, afterMs: when.afterMs, cron: null, zone: null };
  const { cron, zone } = when;
  const afterMs = nextTime(cron, zone, now!).getTime() - now!.getTime();
  return { ...address, name, body, afterMs, cron, zone };
}

/** In the order in which everybody locks: messages, workflows, actions. */
async function grant(tx: Tx, wishes: Wishes): Promise<void> {
  const { messages, timers, others, ended } = wishes;
  if (ended.length > 0) await lockTimers(tx, ended);
  const set = [...timers.values()].flatMap((timer) => timer.set ?? []);
  const unset = [...timers.values()].filter((timer) => timer.set === null);
  if (set.length > 0) await setTimers(tx, set);
  if (unset.length > 0) await cancelTimers(tx, unset);
  if (messages.length > 0) await addMessages(tx, messages);
  const locked = [...wishes.cancelled.map(({ key }) => key), ...ended];
  if (locked.length > 0) await lockWorkflows(tx, locked);
  for (const { key, action } of wishes.cancelled) await cancelActions(tx, [key], action);
  if (wishes.actions.length > 0) await addActions(tx, wishes.actions);
  for (const other of others) await other();
  if (ended.length > 0) await endWorkflows(tx, ended, 'completed');
}

/** After the subscriptions of this batch, so that none is too late. */
async function tellSubscribers(
  tx: Tx,
  workflow: string,
  reacted: readonly Reacted<OwnTask>[],
): Promise<NewMessage[]> {
  const events = reacted.flatMap(({ task, asked }) =>
    asked
      .filter(({ event }) => !event.type.startsWith(OWN))
      .map(({ event }) => ({ ...event, workflow, tenant: task.tenant, id: task.id })),
  );
  const heard = await findSubscribers(tx, events);
  const messages = heard.map(({ n, workflow: to, id }): NewMessage => {
    const { tenant, id: from, version, type, data, tags, at } = events[n]!;
    return {
      tenant,
      workflow: to,
      id,
      kind: 'event',
      body: { workflow, id: from, version, type, data, tags, at },
    };
  });
  if (messages.length > 0) await addMessages(tx, messages);
  return messages;
}
