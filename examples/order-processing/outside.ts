/** The world outside of this example: a bank and a carrier, played by two tables that keep what was really done. */
import { openDatabase } from 'seine/workflows';

let opened: ReturnType<typeof openDatabase> | undefined;

export async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
  opened ??= openDatabase({ connections: 4 });
  return (await (await opened).query<Row>(sql, params)).rows;
}

/** No try will be answered otherwise: Seine makes no second one. */
export class Refused extends Error {
  readonly retry = false;
}

export async function closeOutside(): Promise<void> {
  await (await opened)?.close();
  opened = undefined;
}
