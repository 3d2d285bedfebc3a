/** Libraries that others read such files with, in a process of their own: see competitor-process.ts. */
import { join } from 'node:path';
import { run } from '../command.ts';
import { competitorVersion } from '../competitors.ts';
import type { Way } from './competitor-process.ts';
import type { Competitor, Measured } from './set.ts';

const PROCESS = join(import.meta.dirname, 'competitor-process.ts');

export const duckdbLengths: Competitor = moduleCompetitor(
  'DuckDB, lengths',
  'duckdb-lengths',
  '@duckdb/node-api',
  'SELECT sum(strlen(c)), … of all text columns, by all cores',
);

export const duckdbText: Competitor = moduleCompetitor(
  'DuckDB, as CSV',
  'duckdb-text',
  '@duckdb/node-api',
  'COPY (FROM file) TO /dev/null (FORMAT csv), by all cores',
);

export const officeparser: Competitor = moduleCompetitor(
  'officeparser',
  'officeparser',
  'officeparser',
  'parseOffice(path), then to(text) without layout',
);

export const nodeSqlite: Competitor = moduleCompetitor(
  'node:sqlite',
  'node-sqlite',
  null,
  'select * from each table, row by row, and the lengths of its texts',
);

/** `needs`: the package; null: Node has it. */
function moduleCompetitor(name: string, way: Way, needs: string | null, how: string): Competitor {
  const version = () => (needs === null ? process.version : competitorVersion('documents', needs));
  return {
    name,
    missing: async () => (version() === null ? `${needs} could not be installed` : null),
    version: () => `${needs ?? 'Node'} ${version()}`,
    shown: (folder) => `node competitor-process.ts ${way} ${folder}  # ${how}`,
    async measure(folder) {
      const words = [process.execPath, '--disable-warning=ExperimentalWarning', PROCESS, way, folder];
      const { code, stdout, stderr } = await run(words);
      if (code !== 0) throw new Error(`${name}: ${stderr}`);
      return JSON.parse(stdout) as Measured;
    },
  };
}
