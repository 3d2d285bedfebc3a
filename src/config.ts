/** Everything that can be set, read once and frozen: flags before environment before defaults. */
import { availableParallelism } from 'node:os';
import { SeineError } from './base/errors.ts';
import { chooseDataFolder } from './db/data-folder.ts';

export interface Config {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  readonly tenant: string;
  /** Detection threads. */
  readonly threads: number;
  /** How long a shard stays with a process that gives no sign of life. */
  readonly leaseMs: number;
  /** How long one object may make no progress. */
  readonly stallMs: number;
}

export interface ConfigFlags {
  readonly data?: string | undefined;
  readonly threads?: string | undefined;
}

export function readConfig(flags: ConfigFlags, env: NodeJS.ProcessEnv): Config {
  return Object.freeze({
    dataFolder: chooseDataFolder(flags.data, env),
    databaseUrl: databaseUrl(env.DATABASE_URL),
    tenant: env.SEINE_TENANT || 'default',
    threads: wholeNumber('--threads', flags.threads ?? env.SEINE_THREADS, availableParallelism(), 1, 256),
    leaseMs: 1000 * wholeNumber('SEINE_LEASE_SECONDS', env.SEINE_LEASE_SECONDS, 15, 1, 3600),
    stallMs: 1000 * wholeNumber('SEINE_STALL_SECONDS', env.SEINE_STALL_SECONDS, 60, 1, 86_400),
  });
}

function databaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw new SeineError('usage', 'DATABASE_URL is not the address of a PostgreSQL server.', {
    hint: 'It looks like postgres://user:password@host:5432/database. Without it Seine uses a private server of its own.',
  });
}

export function wholeNumber(
  name: string,
  text: string | undefined,
  preset: number,
  least: number,
  most: number,
): number {
  if (text === undefined || text === '') return preset;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SeineError('usage', `${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}
