/** `npm run schema`: writes src/db/schema.sql, what the migrations add up to on an empty database. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '../src/db/embedded/start.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/pool.ts';
import { exited } from '../test/support/processes.ts';
import { readSchema, SCHEMA_FILE } from './read-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-schema-'));
chmodSync(folder, 0o711); // reachable for the account of a server that root starts
const server = await startEmbeddedServer(folder);
const db = await openDatabase({ databaseUrl: server.connectionString, max: 2 });
try {
  await migrate(db);
  writeFileSync(SCHEMA_FILE, await readSchema(db));
} finally {
  await db.close();
  await server.close();
  rmSync(join(folder, 'postgres.json'), { force: true }); // the supervisor takes that for the end, and stops at once
  await exited(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
