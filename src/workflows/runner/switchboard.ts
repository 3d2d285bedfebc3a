/** Who is told of what: the crews and the actions of this runner at once, other runners by a hint. */
import type { Database } from '../../db/database.ts';
import { Herald, hintOf, type News, tellRunners, WORKFLOW_CHANNEL } from '../../events/herald.ts';
import type { Actions } from '../actions/actions-options.ts';
import type { Projections } from '../projections/run-projections.ts';
import type { Crew } from './crew.ts';

export class Switchboard {
  readonly #db: Database;
  readonly #herald: Herald;
  readonly #crews: Crew[] = [];
  #actions: Actions | null = null;
  #projections: Projections | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#herald = new Herald(db);
  }

  connect(actions: Actions, crews: readonly Crew[], projections: Projections): void {
    this.#actions = actions;
    this.#projections = projections;
    this.#crews.push(...crews);
  }

  /** Others hold parts of these workflows too. */
  everybody(news: News, workflows: Iterable<string>): void {
    for (const name of workflows) {
      this.#herald.tell(news, name);
      this.here(news, name);
    }
  }

  here(news: News | null, workflow: string): void {
    if (news === 'actions' || news === null) this.#actions?.wake();
    if (news === 'events' || news === null) this.#projections?.wake(workflow);
    if (news !== 'actions') for (const crew of this.#crews) if (crew.name === workflow) crew.wake(news);
  }

  /** For programs that wait for workflows of this kind. */
  ended(workflow: string): void {
    this.#herald.tell('ended', workflow);
  }

  /** What others say. After a broken connection anything may be new, also who holds what. */
  hear(): Promise<() => Promise<void>> {
    return this.#db.listen(WORKFLOW_CHANNEL, (said) => {
      const { news, workflow } = hintOf(said);
      if (news === 'ended') return;
      if (workflow === null) {
        this.#actions?.wake();
        this.#projections?.wake(null);
        for (const crew of this.#crews) crew.wake('layout');
      } else if (this.#concerns(workflow)) this.here(news, workflow);
    });
  }

  #concerns(workflow: string): boolean {
    return this.#crews.some(({ name }) => name === workflow) || this.#projections?.reads(workflow) === true;
  }

  /** Somebody came or went. */
  async tellOfLayout(): Promise<void> {
    await Promise.all(this.#crews.map(({ name }) => tellRunners(this.#db, name, 'layout').catch(() => {})));
  }
}
