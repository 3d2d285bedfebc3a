/** Who is told of what: the crews and the actions of this runner at once, other runners by a hint. */
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
  readonly #loops: WorkflowLoops[] = [];
  #actions: Actions | null = null;
  #projections: Projections | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#notifier = new EventNotifier(db);
  }

  connect(actions: Actions, crews: readonly WorkflowLoops[], projections: Projections): void {
    this.#actions = actions;
    this.#projections = projections;
    this.#loops.push(...crews);
  }

  /** Others hold parts of these workflows too. */
  notifyAll(news: NotifyTopic, workflows: Iterable<string>): void {
    for (const name of workflows) {
      this.#notifier.notify(news, name);
      this.notifyLocal(news, name);
    }
  }

  notifyLocal(news: NotifyTopic | null, workflow: string): void {
    if (news === 'actions' || news === null) this.#actions?.wake();
    if (news === 'events' || news === null) this.#projections?.wake(workflow);
    if (news !== 'actions') for (const crew of this.#loops) if (crew.name === workflow) crew.wake(news);
  }

  /** For programs that wait for workflows of this kind. */
  notifyEnded(workflow: string): void {
    this.#notifier.notify('ended', workflow);
  }

  /** What others say. After a broken connection anything may be new, also who holds what. */
  listen(): Promise<() => Promise<void>> {
    return this.#db.listen(WORKFLOW_CHANNEL, (said) => {
      const { topic, workflow } = parseNotification(said);
      if (topic === 'ended') return;
      if (workflow === null) {
        this.#actions?.wake();
        this.#projections?.wake(null);
        for (const crew of this.#loops) crew.wake('layout');
      } else if (this.#concerns(workflow)) this.notifyLocal(topic, workflow);
    });
  }

  #concerns(workflow: string): boolean {
    return this.#loops.some(({ name }) => name === workflow) || this.#projections?.reads(workflow) === true;
  }

  /** Somebody came or went. */
  async notifyPartitioning(): Promise<void> {
    await Promise.all(this.#loops.map(({ name }) => notifyRunners(this.#db, name, 'layout').catch(() => {})));
  }
}
