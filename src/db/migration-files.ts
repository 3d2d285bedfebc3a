/** The files of migrations, and which of them a database still needs. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeineError } from '../base/errors.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'checksum'>;

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const named = /^(\d{4})_([a-z0-9_-]+)\.sql$/.exec(file);
      if (!named) throw new SeineError('internal', `The migration ${file} is not named like 0001_name.sql.`);
      const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
      return {
        number: Number(named[1]),
        name: named[2]!,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    });
}

/** Compares the applied migrations with the known files. */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const remaining = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const ours = remaining.get(number);
    if (!ours) {
      throw new SeineError(
        'conflict',
        `The database is newer than this Seine: it has migration ${number} (${name}).`,
        {
          hint: 'Update Seine, or use another database.',
        },
      );
    }
    if (ours.checksum !== checksum) {
      throw new SeineError('conflict', `Migration ${number} (${name}) was changed after it was applied.`, {
        hint: 'Bring back the file as it was, and put the change into a new migration.',
      });
    }
    remaining.delete(number);
  }
  return [...remaining.values()].sort((a, b) => a.number - b.number);
}
