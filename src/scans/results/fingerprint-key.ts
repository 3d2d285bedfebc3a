/**
 * The secret behind fingerprints: 32 random bytes in the data folder, for its owner alone. Whoever shares a database
 * must share it, or equal values would get different fingerprints; the database remembers a check value.
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { readPrivateFile } from '../../base/ownership.ts';
import { maybeOne, type Queryable } from '../../db/database.ts';

const LENGTH = 32;

export function fingerprintKey(dataFolder: string, env: NodeJS.ProcessEnv = process.env): Buffer {
  if (env.SEINE_FINGERPRINT_KEY) return fromHex(env.SEINE_FINGERPRINT_KEY);
  const file = join(dataFolder, 'fingerprint.key');
  return readKey(file) ?? createKey(file);
}

function fromHex(text: string): Buffer {
  const key = Buffer.from(text, 'hex');
  if (key.length === LENGTH && text.length === 2 * LENGTH) return key;
  throw new SeineError('usage', 'SEINE_FINGERPRINT_KEY is not 64 hexadecimal digits.', {
    hint: 'Make one with: openssl rand -hex 32',
  });
}

function readKey(file: string): Buffer | null {
  try {
    const key = readPrivateFile(file, 'The fingerprint key');
    if (key === null || key.length === LENGTH) return key;
  } catch (error) {
    if (error instanceof SeineError) throw error;
    throw new SeineError('permission', `The fingerprint key ${file} cannot be read.`, { cause: error });
  }
  throw new SeineError('corrupt', `The fingerprint key ${file} is damaged.`, {
    hint: `Restore it from a backup. If it is lost, fingerprints can't be compared with earlier ones any more: move the data folder ${dirname(file)} away (with DATABASE_URL, use another database, too) and scan anew.`,
  });
}

/** Written aside and linked into place, so that of two processes that start at once both use the same one. */
function createKey(file: string): Buffer {
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, randomBytes(LENGTH), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return readKey(file)!;
}

/**
 * Two machines with different keys for one tenant would disagree without anybody noticing: refuse. Tenants may have a key each: a worker
 * takes part only in scans of tenants whose key it has (requiredKeyCheck).
 */
export async function checkFingerprintKey(db: Queryable, tenant: string, key: Buffer): Promise<void> {
  const check = keyCheckOf(key);
  await db.query(
    `insert into setting (tenant, name, value) values ($1, 'fingerprint key check', $2) on conflict do nothing`,
    [tenant, check],
  );
  const row = await maybeOne<{ value: string }>(
    db,
    `select value from setting where tenant = $1 and name = 'fingerprint key check'`,
    [tenant],
  );
  if (row?.value === check) return;
  throw new SeineError('conflict', 'This database was filled with another fingerprint key.', {
    hint: "Restore fingerprint.key from a backup or from the machine that began, or set SEINE_FINGERPRINT_KEY to its hexadecimal digits on every machine. If it is lost, fingerprints can't be compared any more: move the data folder away (with DATABASE_URL, use another database) and scan anew.",
  });
}

/** What a scan of this tenant requires of workers: its fingerprint key. Null: the tenant has none yet. */
export async function requiredKeyCheck(db: Queryable, tenant: string): Promise<string | null> {
  const row = await maybeOne<{ value: string }>(
    db,
    `select value from setting where tenant = $1 and name = 'fingerprint key check'`,
    [tenant],
  );
  return row && `${NAMES}${row.value}`;
}

/**
 * Before names were sealed a worker offered only `key:`, and would take the sealed cursor of a shard for a name. So scans require more
 * than that, and those that an earlier version started do so from the moment on when this version takes part.
 */
const NAMES = 'names:';

/** For a scan that an earlier version may have started. */
export async function requireKey(db: Queryable, scan: number): Promise<void> {
  await db.query(
    `update work set requires = '${NAMES}' || setting.value
     from setting
     where work.id = $1 and (work.requires is null or work.requires = 'key:' || setting.value)
       and setting.tenant = work.tenant and setting.name = 'fingerprint key check'`,
    [scan],
  );
}

/** What a worker with this key offers, to scans of this version and of earlier ones. */
export function offersOf(key: Buffer): string[] {
  const check = keyCheckOf(key);
  return [`${NAMES}${check}`, `key:${check}`];
}

/** Tells whether two keys are the same, and nothing about them. */
export function keyCheckOf(key: Buffer): string {
  return createHash('sha256').update('seine fingerprint key check').update(key).digest('hex').slice(0, 16);
}

/** Fingerprints in a file are of use only to whoever has the key that they were made with. */
export function checkKeyOfFile(file: string, written: unknown, own: string): void {
  if (written === own) return;
  throw new SeineError('conflict', `The fingerprints in ${file} were made with another key than yours.`, {
    hint: 'Use the key of the installation that wrote it: set SEINE_FINGERPRINT_KEY to the hexadecimal digits of its fingerprint.key. Or make the file anew with your own key.',
  });
}
