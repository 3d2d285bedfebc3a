/** Routes notifications: to the loops and actions of this runner directly, to other runners by NOTIFY. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import {
  EventNotifier,
  type NotifyTopic,
  notifyRunners,
  parseNotification,
  WORKFLOW_CHANNEL,
} from '../../events/event-notifier.ts';
import type { Actions } from '../actions/actions-options.ts';
import type { Projections } from '../projections/run-projections.ts';
import type { WorkflowLoops } from './workflow-loops.ts';

export class NotificationRouter {
  readonly #db: Database;
  readonly #notifier: EventNotifier;
  readonly #origin = randomUUID();
  readonly #loops: WorkflowLoops[] = [];
  #actions: Actions | null = null;
  #projections: Projections | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#notifier = new EventNotifier(db, this.#origin);
  }

  connect(actions: Actions, loops: readonly WorkflowLoops[], projections: Projections): void {
    this.#actions = actions;
    this.#projections = projections;
    this.#loops.push(...loops);
  }

  /** Other runners hold partitions of these workflows too. */
  notifyAll(topic: NotifyTopic, workflows: Iterable<string>): void {
    for (const name of workflows) {
      this.#notifier.notify(topic, name);
      this.notifyLocal(topic, name);
    }
  }

  notifyLocal(topic: NotifyTopic | null, workflow: string): void {
    if (topic === 'actions' || topic === null) this.#actions?.wake();
    if (topic === 'events' || topic === null) this.#projections?.wake(workflow);
    if (topic !== 'actions') for (const loop of this.#loops) if (loop.name === workflow) loop.wake(topic);
  }

  /** For programs that wait for workflows of this type. */
  notifyEnded(workflow: string): void {
    this.#notifier.notify('ended', workflow);
  }

  /** Handles notifications of other processes. After a lost connection everything may have changed, including the assignment. */
  listen(): Promise<() => Promise<void>> {
    return this.#db.listen(WORKFLOW_CHANNEL, (said) => {
      const { topic, workflow, origin } = parseNotification(said);
      if (topic === 'ended' || origin === this.#origin) return; // its own loops were woken when it was sent
      if (workflow === null) {
        this.#actions?.wake();
        this.#projections?.wake(null);
        for (const loop of this.#loops) loop.wake('layout');
      } else if (this.#concerns(workflow)) this.notifyLocal(topic, workflow);
    });
  }

  #concerns(workflow: string): boolean {
    return this.#loops.some(({ name }) => name === workflow) || this.#projections?.reads(workflow) === true;
  }

  /** A runner joined or left. */
  async notifyPartitioning(): Promise<void> {
    await Promise.all(this.#loops.map(({ name }) => notifyRunners(this.#db, name, 'layout').catch(() => {})));
  }
}
