/** A world in memory: workflows, what they ask for, and what comes of it, in its own time. */
import type { NewEvent } from '../../events/append-store.ts';
import { decideOn } from '../decide.ts';
import { OWN } from '../decision.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';
import type { Effect, Interest } from '../effects.ts';
import { nextTime } from '../messages/cron.ts';
import type { Typed } from '../typed.ts';
import { Agenda } from './agenda.ts';
import { append, effectsOf, foldedOf, type Happened, type Story, stored } from './story.ts';
import {
  cancel,
  earlierOf,
  newAction,
  type Run,
  type Stage,
  type TrialAction,
  tryAction,
} from './trial-actions.ts';

export interface Timer {
  readonly name: string;
  readonly due: Date;
  readonly command: Typed;
}

interface Life extends Story {
  status: 'running' | 'completed';
  readonly timers: Map<string, Timer>;
  readonly subscriptions: Map<string, Interest>;
  readonly actions: TrialAction[];
}

/** A command on its way to a workflow. */
export interface Sent {
  readonly workflow: string;
  readonly id: string;
  readonly command: Typed;
}

export class World implements Stage {
  readonly agenda: Agenda;
  readonly actions: Readonly<Record<string, Run>>;
  /** Commands to workflows that are no part of this world. */
  readonly told: Sent[] = [];
  readonly rejections: (Sent & { readonly reason: string })[] = [];
  readonly #kinds: ReadonlyMap<string, AnyWorkflow>;
  readonly #lives = new Map<string, Life>();

  constructor(kinds: readonly AnyWorkflow[], actions: Readonly<Record<string, Run>>, start: Date) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.actions = actions;
    this.agenda = new Agenda(start);
  }

  lifeOf(workflow: AnyWorkflow, id: string): Life {
    const fresh = { workflow, id, happened: [], actions: [], timers: new Map(), subscriptions: new Map() };
    return this.#lives.get(`${workflow.name}/${id}`) ?? { ...fresh, status: 'running' };
  }

  /** What happened; or why not. */
  async handle(
    workflow: AnyWorkflow,
    id: string,
    command: Typed,
  ): Promise<Happened[] | { rejected: string }> {
    const life = this.lifeOf(workflow, id);
    if (life.status !== 'running') return { rejected: `${workflow.name} ${id} is ${life.status}` };
    const now = new Date(this.agenda.now);
    const decided = await decideOn(workflow, foldedOf(life), stored(command), { id, now });
    return 'rejected' in decided ? decided : this.#add(life, decided.events);
  }

  record(story: Story, event: NewEvent): void {
    const life = this.lifeOf(story.workflow, story.id);
    if (life.status === 'running') this.#add(life, [event]);
  }

  #add(life: Life, events: readonly NewEvent[]): Happened[] {
    const added = append(life, events, new Date(this.agenda.now));
    if (added.length > 0) this.#lives.set(`${life.workflow.name}/${life.id}`, life);
    for (const happened of added) this.agenda.add(0, () => this.#react(life, happened));
    return added;
  }

  #react(life: Life, happened: Happened): void {
    this.#announce(life, happened);
    const effects = effectsOf(life, happened);
    const acts = effects.filter((effect) => effect.do === 'act');
    for (const effect of effects) {
      if (effect.do === 'act')
        this.#act(life, newAction(life, happened.event.version, acts.indexOf(effect), effect));
      else this.#carryOut(life, effect);
    }
    if (effects.some((effect) => effect.do === 'complete')) life.status = 'completed';
    if (life.status !== 'running') bury(life);
  }

  /** What has the key of an open action is answered by its event. */
  #act(life: Life, action: TrialAction): void {
    if (earlierOf(life.actions, action, ['waiting', 'running'])) return;
    life.actions.push(action);
    this.agenda.add(0, () => tryAction(this, life, action));
  }

  #carryOut(life: Life, effect: Exclude<Effect, { do: 'act' }>): void {
    if (effect.do === 'tell') this.#deliver(effect);
    else if (effect.do === 'set timer') this.#setTimer(life, effect);
    else if (effect.do === 'cancel timer') life.timers.delete(effect.name);
    else if (effect.do === 'subscribe') life.subscriptions.set(effect.name, effect.to);
    else if (effect.do === 'unsubscribe') life.subscriptions.delete(effect.name);
    else if (effect.do === 'cancel action')
      for (const action of life.actions) if (action.name === effect.action) cancel(action);
  }

  #deliver({ workflow, id, command }: Sent): void {
    const kind = this.#kinds.get(workflow);
    const sent = { workflow, id, command: stored(command) };
    if (!kind) this.told.push(sent);
    else
      this.agenda.add(0, async () => {
        const outcome = await this.handle(kind, id, sent.command);
        if ('rejected' in outcome) this.rejections.push({ ...sent, reason: outcome.rejected });
      });
  }

  #setTimer(life: Life, effect: Extract<Effect, { do: 'set timer' }>): void {
    const { name, command, when } = effect;
    const { now } = this.agenda;
    const due = 'cron' in when ? nextTime(when.cron, when.zone, new Date(now)) : new Date(now + when.afterMs);
    const timer = { name, due, command: stored(command) };
    life.timers.set(name, timer);
    this.agenda.add(due.getTime() - now, () => {
      if (life.timers.get(name) !== timer) return;
      if ('cron' in when) this.#setTimer(life, effect);
      else life.timers.delete(name);
      this.#deliver({ workflow: life.workflow.name, id: life.id, command: timer.command });
    });
  }

  /** To everyone who has subscribed, but to nobody his own. */
  #announce({ workflow, id }: Life, { event }: Happened): void {
    if (event.type.startsWith(OWN)) return;
    const heard: HeardEvent = { ...event, workflow: workflow.name, id };
    for (const life of this.#lives.values()) {
      const isWanted = [...life.subscriptions.values()].some((interest) => isMeant(interest, heard));
      if (!isWanted || (life.workflow.name === workflow.name && life.id === id)) continue;
      const command = life.workflow.receive?.(heard) ?? null;
      if (command) this.#deliver({ workflow: life.workflow.name, id: life.id, command });
    }
  }
}

function isMeant({ workflow, id, type, tags = [], everyTag = false }: Interest, event: HeardEvent): boolean {
  const has = (tag: string) => event.tags.includes(tag);
  if (workflow !== undefined && workflow !== event.workflow) return false;
  if (id !== undefined && id !== event.id) return false;
  if (type !== undefined && type !== event.type) return false;
  return tags.length === 0 || (everyTag ? tags.every(has) : tags.some(has));
}

/** What an ended workflow leaves behind ends with it. */
function bury({ timers, subscriptions, actions }: Life): void {
  timers.clear();
  subscriptions.clear();
  for (const action of actions) cancel(action);
}
