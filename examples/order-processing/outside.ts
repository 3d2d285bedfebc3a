/** The world outside of this example: a bank and a carrier, played by two tables that keep what was really done. */
import pg from 'pg';

let pool: pg.Pool | undefined;

export async function query<Row extends pg.QueryResultRow>(
  sql: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const connectionString = process.env.DATABASE_URL;
  if (!connectionString)
    throw new Error('DATABASE_URL is not set: the bank and the carrier of the example live there.');
  pool ??= new pg.Pool({ connectionString, max: 4, allowExitOnIdle: true });
  return (await pool.query<Row>(sql, params)).rows;
}

/** No try will be answered otherwise: Seine makes no second one. */
export class Refused extends Error {
  readonly retry = false;
}

export async function closeOutside(): Promise<void> {
  await pool?.end();
  pool = undefined;
}
