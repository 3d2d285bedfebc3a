/** `seine doctor`: checks everything a scan needs, one line each. A failed check does not stop the others. */
import { statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { openApp, openSecret } from '../app.ts';
import { COMPONENT_NAMES, isInstalled } from '../base/components/component.ts';
import { seineInstall } from '../base/components/install-failure.ts';
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
  /** A check this one depends on. If that one failed, this one is skipped: it would fail for the same reason. */
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
  { name: 'components', run: () => components() },
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
  throw new SeineError('limit', `${folder} has only ${humanBytes(free)} free.`, {
    hint: 'Free some space, or choose another folder with --data.',
  });
}

/** Missing network namespaces are no failure: the other sandbox restrictions still apply. */
async function documentReader({ threads, megabytes = memoryFor(threads) }: Config): Promise<string> {
  await (await import('../extraction/documents/pdf/pdfjs/library.ts')).pdfLibrary(); // throws if it is another version
  const network = hasNetworkNamespace()
    ? 'in its own network namespace'
    : 'without a network namespace (not permitted on this system; the process itself refuses connections)';
  return `sandboxed, ${network}; ${megabytes} MB for all reader processes`;
}

/** Missing components are no failure: their first use installs them, where there is a network. */
function components(): string {
  const missing = COMPONENT_NAMES.filter((name) => !isInstalled(name));
  const states = COMPONENT_NAMES.map(
    (name) => `${name} ${missing.includes(name) ? 'not installed' : 'installed'}`,
  );
  const advice =
    missing.length === 0 ? [] : [`Installed on first use, or now with: ${seineInstall(missing.join(' '))}`];
  return [states.join(', '), ...advice].join('\n      ');
}

/** Hooks pending for long are no failure of this machine: they are listed below the result, with a command. */
async function database(config: Config, flags: CommonFlags): Promise<string> {
  const app = await openApp(config);
  try {
    const sql = `select current_setting('server_version') as version, pg_database_size(current_database()) as size`;
    const { version, size } = await one<{ version: string; size: number }>(app.db, sql);
    const { ours } = await one<{ ours: boolean | null }>(app.db, SESSION_IS_OURS);
    const server = `PostgreSQL ${version}, ${config.databaseUrl ? 'from DATABASE_URL' : 'private'}, ${humanBytes(size)}`;
    const connection = ours ? server : `${server}, ${throughPooler(config)}`;
    return [connection, ...(await waitingSentences(app, flags, null))].join('\n      ');
  } finally {
    await app.close();
  }
}

/** Fails if a long transaction or a foreign log stalls the workflows. Messages that no runner serves are reported, but no failure of this machine. */
async function workflows(config: Config): Promise<string> {
  const app = await openApp(config);
  try {
    const stall = await findStall(app.db);
    if (stall) throw new SeineError('unavailable', formatStall(stall), { hint: stallAdvice(stall) });
    const unserved = await unservedMessages(app.db);
    if (unserved.length === 0) return 'not stalled';
    return [...unserved.map(formatUnserved), UNSERVED_ADVICE].join('\n      ');
  } finally {
    await app.close();
  }
}

/** Without notifications processes poll, so work starts up to a second later. */
function throughPooler({ directDatabaseUrl }: Config): string {
  const notifications = directDatabaseUrl
    ? 'notifications over SEINE_DIRECT_DATABASE_URL'
    : 'without notifications: workers poll every second; set SEINE_DIRECT_DATABASE_URL to bypass the pooler';
  return `through a connection pooler, ${notifications}`;
}
