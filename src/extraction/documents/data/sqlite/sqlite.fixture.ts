import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The file of a database that SQLite itself has written. */
export function sqliteFile(fill: (database: DatabaseSync) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'seine-sqlite-'));
  try {
    const path = join(folder, 'made.db');
    const database = new DatabaseSync(path);
    // Durability is not needed.
    database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
    fill(database);
    database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
