/** `seine doctor`: looks at everything a scan needs, one line each, and goes on after a failure. */
import { statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { openApp, openSecret } from '../app.ts';
import { messageOf, SeineError } from '../base/errors.ts';
import { type Config, readConfig } from '../config.ts';
import { openDataFolder } from '../db/data-folder.ts';
import { one } from '../db/database.ts';
import { SESSION_IS_OURS } from '../db/session-settings.ts';
import { catalogue } from '../detection/catalogue.ts';
import { hasNetworkNamespace } from '../extraction/isolation/start-command.ts';
import { memoryFor } from '../scans/detect/reader-memory.ts';
import { formatUnserved, UNSERVED_ADVICE, unservedMessages } from '../workflows/queries/unserved.ts';
import { findStall, formatStall, stallAdvice } from '../workflows/stall/stall.ts';
import { EXIT } from './exit-code.ts';
import { waitingSentences } from './hooks/waiting-hooks.ts';
import type { CommonFlags } from './options.ts';
import { humanBytes } from './output/quantities.ts';
import { detectTerminalStyle, paint, type TerminalStyle } from './output/terminal-style.ts';

interface Check {
  readonly name: string;
  /** The check that must have succeeded before; without it nothing new would be said. */
  readonly after?: string;
  readonly run: (config: Config, flags: CommonFlags) => string | Promise<string>;
}

const MIN_FREE_DISK_BYTES = 200e6;

const CHECKS: readonly Check[] = [
  { name: 'Node', run: () => `${process.version}, ${process.platform} ${process.arch}` },
  {
    name: 'machine',
    run: (config) =>
      `${availableParallelism()} cores, ${humanBytes(totalmem())} memory, ${config.threads} detection threads`,
  },
  { name: 'data folder', run: (config) => dataFolder(config) },
  { name: 'fingerprint key', run: (config) => `${openSecret(config).length * 8} bits` },
  { name: 'database', run: (config, flags) => database(config, flags) },
  { name: 'workflows', after: 'database', run: (config) => workflows(config) },
  { name: 'document reader', run: (config) => documentReader(config) },
  { name: 'detectors', run: () => `${catalogue.length} kinds` },
];

export async function runDoctor(flags: CommonFlags): Promise<number> {
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const results: { name: string; ok: boolean; found: string; hint?: string }[] = [];
  const config = readConfig(flags, process.env);
  for (const check of CHECKS) {
    if (results.some(({ name, ok }) => name === check.after && !ok)) continue;
    try {
      results.push({ name: check.name, ok: true, found: await check.run(config, flags) });
    } catch (error) {
      const hint = error instanceof SeineError ? error.hint : undefined;
      results.push({ name: check.name, ok: false, found: messageOf(error), ...(hint && { hint }) });
    }
    if (!flags.json) process.stdout.write(formatCheck(results.at(-1)!, style));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  return results.every((result) => result.ok) ? EXIT.done : EXIT.error;
}

function formatCheck(
  result: { name: string; ok: boolean; found: string; hint?: string },
  style: TerminalStyle,
): string {
  const mark = result.ok ? paint(style, 'cyan', 'ok  ') : paint(style, 'red', 'FAIL');
  return `${mark}  ${result.name.padEnd(16)}${result.found}\n${result.hint ? `      ${result.hint}\n` : ''}`;
}

function dataFolder(config: Config): string {
  const folder = openDataFolder(config.dataFolder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free > MIN_FREE_DISK_BYTES) return `${folder}, ${humanBytes(free)} free`;
  throw new SeineError('limit', `${folder} has only ${humanBytes(free)} left.`, {
    hint: 'Free some space, or choose another folder with --data.',
  });
}

/** A system that permits no namespaces is no failure: the other restrictions hold there, too. */
function documentReader({ threads, megabytes = memoryFor(threads) }: Config): string {
  const network = hasNetworkNamespace()
    ? 'in a network namespace of its own'
    : 'without a network namespace (the system permits none: connections are refused by the process itself)';
  return `sandboxed, ${network}; ${megabytes} MB for all processes together`;
}

/** Hooks that wait for long are no failure of this machine: they are told below, with what to do. */
async function database(config: Config, flags: CommonFlags): Promise<string> {
  const app = await openApp(config);
  try {
    const sql = `select current_setting('server_version') as version, pg_database_size(current_database()) as size`;
    const { version, size } = await one<{ version: string; size: number }>(app.db, sql);
    const { ours } = await one<{ ours: boolean | null }>(app.db, SESSION_IS_OURS);
    const found = `PostgreSQL ${version}, ${config.databaseUrl ? 'by DATABASE_URL' : 'private'}, ${humanBytes(size)}`;
    const way = ours ? found : `${found}, ${throughPooler(config)}`;
    return [way, ...(await waitingSentences(app, flags, null))].join('\n      ');
  } finally {
    await app.close();
  }
}

/** What holds them up from outside. Messages that no runner serves are no failure of this machine: they are told, with what to do. */
async function workflows(config: Config): Promise<string> {
  const app = await openApp(config);
  try {
    const stall = await findStall(app.db);
    if (stall) throw new SeineError('unavailable', formatStall(stall), { hint: stallAdvice(stall) });
    const unserved = await unservedMessages(app.db);
    if (unserved.length === 0) return 'nothing holds them up';
    return [...unserved.map(formatUnserved), UNSERVED_ADVICE].join('\n      ');
  } finally {
    await app.close();
  }
}

/** Without notifications everything is found by asking, at most a second later. */
function throughPooler({ directDatabaseUrl }: Config): string {
  const heard = directDatabaseUrl
    ? 'notifications come by SEINE_DIRECT_DATABASE_URL'
    : 'without notifications: workers look for work once a second, unless SEINE_DIRECT_DATABASE_URL leads past the pooler';
  return `through a connection pooler, ${heard}`;
}
