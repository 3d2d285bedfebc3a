/** Libraries that others read such files with, in a process of their own: see rival-process.ts. */
import { join } from 'node:path';
import { run } from '../command.ts';
import { rivalVersion } from '../rivals.ts';
import type { Way } from './rival-process.ts';
import type { Measured, Rival } from './set.ts';

const PROCESS = join(import.meta.dirname, 'rival-process.ts');

export const duckdbLengths: Rival = moduleRival(
  'DuckDB, lengths',
  'duckdb-lengths',
  '@duckdb/node-api',
  'SELECT sum(strlen(c)), … of all text columns, by all cores',
);

export const duckdbText: Rival = moduleRival(
  'DuckDB, as CSV',
  'duckdb-text',
  '@duckdb/node-api',
  'COPY (FROM file) TO /dev/null (FORMAT csv), by all cores',
);

export const officeparser: Rival = moduleRival(
  'officeparser',
  'officeparser',
  'officeparser',
  'parseOffice(path), then to(text) without layout',
);

export const nodeSqlite: Rival = moduleRival(
  'node:sqlite',
  'node-sqlite',
  null,
  'select * from each table, row by row, and the lengths of its texts',
);

/** `needs`: the package; null: Node has it. */
function moduleRival(name: string, way: Way, needs: string | null, how: string): Rival {
  const version = () => (needs === null ? process.version : rivalVersion('documents', needs));
  return {
    name,
    missing: async () => (version() === null ? `${needs} could not be installed` : null),
    version: () => `${needs ?? 'Node'} ${version()}`,
    shown: (folder) => `node rival-process.ts ${way} ${folder}  # ${how}`,
    async measure(folder) {
      const words = [process.execPath, '--disable-warning=ExperimentalWarning', PROCESS, way, folder];
      const { code, stdout, stderr } = await run(words);
      if (code !== 0) throw new Error(`${name}: ${stderr}`);
      return JSON.parse(stdout) as Measured;
    },
  };
}
