import pg from 'pg';

/**
 * Runs one statement through a pooler that shares sessions between transactions. Everything sent before one
 * Sync is one implicit transaction, so the settings precede the statement in the same message: no further
 * round trip, and no setting stays in the session.
 */
export function queryPooled(
  client: pg.ClientBase,
  settings: string,
  sql: string,
  params: readonly unknown[] | undefined,
): Promise<pg.QueryResult | pg.QueryResult[]> {
  if (cannotRunInTransaction(sql)) return client.query(sql);
  if (!params?.length) return client.query(`${settings}; ${sql}`);
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    client.query(new QueryWithSettings(settings, { text: sql, values: [...params] }, done));
  });
}

/** The statement can't run in a transaction. It must qualify its tables with their schema. */
export function cannotRunInTransaction(sql: string): boolean {
  return NON_TRANSACTIONAL.test(sql);
}

const NON_TRANSACTIONAL =
  /^\s*(?:(?:vacuum|reindex|(?:create|drop)\s+database|(?:create|drop)\s+(?:unique\s+)?index\s+concurrently)\b|do\s+\$\$.*\bcommit;)/is;

/** Called by node-postgres during a query; missing in its types. */
interface Submitted {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
interface Wire {
  parse(statement: { text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
}
type Done = (error: Error | null, result: pg.QueryResult) => void;
type SubmittedClass = new (config: pg.QueryConfig, values: undefined, done: Done) => pg.Query & Submitted;

class QueryWithSettings extends (pg.Query as unknown as SubmittedClass) {
  readonly #settings: string;
  #areSet = false;

  constructor(settings: string, config: pg.QueryConfig, done: Done) {
    super(config, undefined, done);
    this.#settings = settings;
  }

  override prepare(connection: Wire): void {
    connection.parse({ text: this.#settings });
    connection.bind({});
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#areSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#areSet) super.handleCommandComplete(message, connection);
    this.#areSet = true;
  }
}
