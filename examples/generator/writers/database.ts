/** SQLite files, the same whatever version of SQLite writes them. */
import { DatabaseSync } from 'node:sqlite';

type Value = string | number | null;
export type Rows = readonly Readonly<Record<string, Value>>[];

const CHANGES_AT = 24;
const VALID_FOR_AT = 92;
const VERSION_AT = 96;

/** `tables`: the statement that makes each, and what goes into it. */
export function database(
  tables: readonly { readonly sql: string; readonly name: string; readonly rows: Rows }[],
): Buffer {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA page_size = 1024; PRAGMA user_version = 7;');
  for (const { sql, name, rows } of tables) {
    db.exec(sql);
    const marks = Object.keys(rows[0] ?? {}).map(() => '?');
    const insert = db.prepare(`INSERT INTO ${name} VALUES (${marks.join(', ')})`);
    for (const row of rows) insert.run(...Object.values(row));
  }
  db.exec('VACUUM');
  const bytes = Buffer.from(db.serialize());
  db.close();
  bytes.writeUInt32BE(1, CHANGES_AT);
  bytes.writeUInt32BE(1, VALID_FOR_AT);
  bytes.writeUInt32BE(3_045_000, VERSION_AT);
  return bytes;
}
