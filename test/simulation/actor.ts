/** A participant with its own connection that runs one statement after another: a worker, a leader, an operator. */
import { SeineError } from '../../src/base/errors.ts';
import type { Database, Result } from '../../src/db/database.ts';
import type { Connection } from './connection.ts';

export type State = 'thinking' | 'asking' | 'sent' | 'blocked' | 'answered' | 'napping' | 'gone';

/** `cut off`: the statement never arrives. `lost`: it is done, but the answer does not come back. */
export type StatementFault = 'goes on' | 'dies before' | 'dies after' | 'cut off' | 'lost';

/** What an actor does, with its own way to the database. */
export type Role = (db: Database, self: Actor) => Promise<void>;

/** What a dead actor's code meets: it unwinds and changes nothing any more. */
export class ActorKilled extends Error {}

export type Answer = Result<unknown> & { command: string };

export class Actor {
  readonly name: string;
  readonly connection: Connection;
  state: State = 'thinking';
  /** The statement that it is about to send, or has sent. */
  statement = '';
  params: readonly unknown[] | undefined;
  inTransaction = false;
  /** Before this turn it is not chosen: its process was stopped for a while. */
  asleepUntil = 0;
  /** Happens in its process while a statement is under way. */
  duringStatement: () => void = () => {};
  answer: Answer | Error | null = null;
  proceed = Promise.withResolvers<void>();
  response = Promise.withResolvers<Answer>();

  constructor(name: string, connection: Connection) {
    this.name = name;
    this.connection = connection;
  }

  get alive(): boolean {
    return this.state !== 'gone';
  }

  get label(): string {
    return labelOf(this.statement);
  }

  /** Whatever it waits for, it waits no more. */
  unwind(): void {
    for (const waits of [this.proceed, this.response]) {
      waits.promise.catch(() => {});
      waits.reject(new ActorKilled());
    }
  }

  /** What it had open is undone. */
  async rollBack(): Promise<void> {
    if (!this.inTransaction) return;
    this.inTransaction = false;
    await this.connection.run('rollback');
  }
}

export function unreachable(): SeineError {
  return new SeineError('unavailable', 'The connection broke.');
}

const labels = new Map<string, string>();

/** The beginning of a statement, enough to know it by. */
function labelOf(sql: string): string {
  const label = labels.get(sql) ?? sql.replace(/\s+/g, ' ').trim().slice(0, 60);
  labels.set(sql, label);
  return label;
}
