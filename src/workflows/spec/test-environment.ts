/** In-memory test environment: workflows, their effects and results, in virtual time. */
import type { NewEvent } from '../../events/append-store.ts';
import type { StartChild } from '../children/child.ts';
import { runDecide } from '../commands/decide.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';
import type { Effect, Interest } from '../effects.ts';
import { nextTime } from '../messages/cron.ts';
import type { Typed } from '../typed.ts';
import {
  append,
  type EventHistory,
  effectsOf,
  foldedOf,
  jsonRoundTrip,
  type RecordedEvent,
} from './event-history.ts';
import { EventQueue } from './event-queue.ts';
import {
  type ActionRuntime,
  cancel,
  earlierOf,
  newAction,
  type Run,
  runAttempt,
  type SimulatedAction,
} from './simulated-actions.ts';
import { type ChildEnding, endingIn, SimulatedChildren } from './simulated-children.ts';

export interface Timer {
  readonly name: string;
  readonly due: Date;
  readonly command: Typed;
}

type SetTimer = Extract<Effect, { do: 'set timer' }>;

interface WorkflowInstance extends EventHistory {
  status: 'running' | 'completed' | 'cancelled';
  readonly timers: Map<string, Timer>;
  readonly subscriptions: Map<string, Interest>;
  readonly actions: SimulatedAction[];
}

/** A pending command to a workflow. */
export interface Sent {
  readonly workflow: string;
  readonly id: string;
  readonly command: Typed;
}

export class TestEnvironment implements ActionRuntime {
  readonly queue: EventQueue;
  readonly actions: Readonly<Record<string, Run>>;
  /** Commands to workflows that are not part of this environment. */
  readonly told: Sent[] = [];
  readonly rejections: (Sent & { readonly reason: string })[] = [];
  readonly #kinds: ReadonlyMap<string, AnyWorkflow>;
  readonly #instances = new Map<string, WorkflowInstance>();
  readonly #children = new SimulatedChildren({
    hasBegun: (workflow, id) => this.#instances.has(`${workflow}/${id}`),
    begin: (start, failed) => this.#begin(start, failed),
    record: (history, event) => this.record(history, event),
    cancel: (workflow, id) =>
      this.queue.add(0, () => this.#end(this.#instances.get(`${workflow}/${id}`)!, CANCELLED)),
  });

  constructor(kinds: readonly AnyWorkflow[], actions: Readonly<Record<string, Run>>, start: Date) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.actions = actions;
    this.queue = new EventQueue(start);
  }

  instanceOf(workflow: AnyWorkflow, id: string): WorkflowInstance {
    const fresh = { workflow, id, happened: [], actions: [], timers: new Map(), subscriptions: new Map() };
    return this.#instances.get(`${workflow.name}/${id}`) ?? { ...fresh, status: 'running' };
  }

  /** Returns the events, or the reason of the rejection. */
  async handle(
    workflow: AnyWorkflow,
    id: string,
    command: Typed,
  ): Promise<RecordedEvent[] | { rejected: string }> {
    const life = this.instanceOf(workflow, id);
    if (life.status !== 'running') return { rejected: `${workflow.name} ${id} is ${life.status}` };
    const now = new Date(this.queue.now);
    const decided = await runDecide(workflow, foldedOf(life), jsonRoundTrip(command), { id, now });
    return 'rejected' in decided ? decided : this.#add(life, decided.events);
  }

  record(history: EventHistory, event: NewEvent): void {
    const life = this.instanceOf(history.workflow, history.id);
    if (life.status === 'running') this.#add(life, [event]);
  }

  #add(life: WorkflowInstance, events: readonly NewEvent[]): RecordedEvent[] {
    const added = append(life, events, new Date(this.queue.now));
    if (added.length > 0) this.#instances.set(`${life.workflow.name}/${life.id}`, life);
    for (const happened of added) this.queue.add(0, () => this.#react(life, happened));
    return added;
  }

  #react(life: WorkflowInstance, happened: RecordedEvent): void {
    this.#publish(life, happened);
    const effects = effectsOf(life, happened);
    const acts = effects.filter((effect) => effect.do === 'act');
    for (const effect of effects) {
      if (effect.do === 'act')
        this.#act(life, newAction(life, happened.event.version, acts.indexOf(effect), effect));
      else this.#applyEffect(life, effect, happened.event.at);
    }
    const ending = effects.find((effect) => effect.do === 'complete' || effect.do === 'fail');
    if (ending) this.#end(life, endingIn(ending));
    else if (life.status !== 'running') clearPending(life);
  }

  #end(life: WorkflowInstance, ended: ChildEnding): void {
    const isFirst = life.status === 'running';
    if (isFirst) life.status = ended.outcome === 'cancelled' ? 'cancelled' : 'completed';
    clearPending(life);
    if (isFirst) this.#children.ended(life, ended);
  }

  #begin(start: StartChild, failed: (error: string) => void): void {
    const kind = this.#kinds.get(start.workflow);
    const sent = { workflow: start.workflow, id: start.id, command: jsonRoundTrip(start.command) };
    if (!kind) this.told.push(sent);
    else
      this.queue.add(0, async () => {
        if (this.#children.isOver(start.workflow, start.id)) return;
        const outcome = await this.handle(kind, start.id, sent.command);
        if ('rejected' in outcome) failed(`Its first command was rejected: ${outcome.rejected}`);
        else if (outcome.length === 0) failed('Its first command led to no events.');
      });
  }

  /** A request with the key of an open action is served by that action's event. */
  #act(life: WorkflowInstance, action: SimulatedAction): void {
    if (earlierOf(life.actions, action, ['waiting', 'running'])) return;
    life.actions.push(action);
    this.queue.add(0, () => runAttempt(this, life, action));
  }

  #applyEffect(life: WorkflowInstance, effect: Exclude<Effect, { do: 'act' }>, eventAt: Date): void {
    if (effect.do === 'tell') this.#deliver(effect);
    else if (effect.do === 'start child') {
      if (life.status === 'running') this.#children.start(life, effect);
    } else if (effect.do === 'cancel child') this.#children.cancel(life, effect);
    else if (effect.do === 'set timer') this.#setTimer(life, effect, eventAt);
    else if (effect.do === 'cancel timer') life.timers.delete(effect.name);
    else if (effect.do === 'subscribe') life.subscriptions.set(effect.name, effect.to);
    else if (effect.do === 'unsubscribe') life.subscriptions.delete(effect.name);
    else if (effect.do === 'cancel action')
      for (const action of life.actions) if (action.name === effect.action) cancel(action);
  }

  #deliver({ workflow, id, command }: Sent): void {
    const kind = this.#kinds.get(workflow);
    const sent = { workflow, id, command: jsonRoundTrip(command) };
    if (!kind) this.told.push(sent);
    else
      this.queue.add(0, async () => {
        const outcome = await this.handle(kind, id, sent.command);
        if ('rejected' in outcome) this.rejections.push({ ...sent, reason: outcome.rejected });
      });
  }

  #setTimer(life: WorkflowInstance, effect: SetTimer, eventAt: Date): void {
    const { name, command, when } = effect;
    const { now } = this.queue;
    const due = dueOf(when, eventAt, new Date(now));
    const timer = { name, due, command: jsonRoundTrip(command) };
    life.timers.set(name, timer);
    this.queue.add(Math.max(0, due.getTime() - now), () => {
      if (life.timers.get(name) !== timer) return;
      if ('cron' in when) this.#setTimer(life, effect, eventAt);
      else life.timers.delete(name);
      this.#deliver({ workflow: life.workflow.name, id: life.id, command: timer.command });
    });
  }

  /** The receiver's state is the one at delivery, as in a runner. */
  async #deliverEvent({ workflow, id }: WorkflowInstance, subscribers: HeardEvent): Promise<void> {
    const life = this.instanceOf(workflow, id);
    if (life.status !== 'running') return;
    const receiver = { id, state: foldedOf(life).state, now: new Date(this.queue.now) };
    const command = workflow.receive?.(subscribers, receiver) ?? null;
    if (command === null) return;
    const sent = { workflow: workflow.name, id, command: jsonRoundTrip(command) };
    const outcome = await this.handle(workflow, id, sent.command);
    if ('rejected' in outcome) this.rejections.push({ ...sent, reason: outcome.rejected });
  }

  /** To all subscribers, except the workflow itself. */
  #publish({ workflow, id }: WorkflowInstance, { event }: RecordedEvent): void {
    if (event.type.startsWith(SYSTEM_EVENT_PREFIX)) return;
    const subscribers: HeardEvent = { ...event, workflow: workflow.name, id };
    for (const life of this.#instances.values()) {
      const isWanted = [...life.subscriptions.values()].some((interest) =>
        matchesInterest(interest, subscribers),
      );
      if (!isWanted || (life.workflow.name === workflow.name && life.id === id)) continue;
      this.queue.add(0, () => this.#deliverEvent(life, subscribers));
    }
  }
}

function dueOf(when: SetTimer['when'], eventAt: Date, now: Date): Date {
  if ('cron' in when) return nextTime(when.cron, when.zone, now);
  return 'at' in when ? new Date(when.at) : new Date(eventAt.getTime() + when.afterMs);
}

function matchesInterest(
  { workflow, id, type, tags = [], everyTag = false }: Interest,
  event: HeardEvent,
): boolean {
  const has = (tag: string) => event.tags.includes(tag);
  if (workflow !== undefined && workflow !== event.workflow) return false;
  if (id !== undefined && id !== event.id) return false;
  if (type !== undefined && type !== event.type) return false;
  return tags.length === 0 || (everyTag ? tags.every(has) : tags.some(has));
}

const CANCELLED: ChildEnding = { outcome: 'cancelled', data: {} };

/** Cleans up after a workflow that has ended. */
function clearPending({ timers, subscriptions, actions }: WorkflowInstance): void {
  timers.clear();
  subscriptions.clear();
  for (const action of actions) cancel(action);
}
