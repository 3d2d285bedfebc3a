/**
 * The secret key of fingerprints: 32 random bytes in the data folder, readable by its owner only. All
 * installations on one database must share it, or equal values would get different fingerprints; the
 * database stores a check value.
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
    hint: `Restore it from a backup. If it is lost, fingerprints can no longer be compared with earlier ones: move the data folder ${dirname(file)} away (with DATABASE_URL, use another database, too) and scan again.`,
  });
}

/**
 * Written to a temporary file and linked into place, so that two processes that start concurrently use the
 * same one.
 */
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
 * Rejects a key that differs from the tenant's: fingerprints of two machines would silently never match.
 * Tenants may have a key each: a worker only takes part in scans of tenants whose key it has
 * (requiredKeyCheck).
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
    hint: 'Restore fingerprint.key from a backup or from the first machine, or set SEINE_FINGERPRINT_KEY to its hexadecimal digits on every machine. If it is lost, fingerprints can no longer be compared: move the data folder away (with DATABASE_URL, use another database) and scan anew.',
  });
}

/** The check value that a scan of this tenant requires of workers. Null: the tenant has no key yet. */
export async function requiredKeyCheck(db: Queryable, tenant: string): Promise<string | null> {
  const row = await maybeOne<{ value: string }>(
    db,
    `select value from setting where tenant = $1 and name = 'fingerprint key check'`,
    [tenant],
  );
  return row && `${NAMES}${row.value}`;
}

/**
 * Before names were sealed, a worker offered only `key:`, and would treat the sealed cursor of a shard as a
 * name. So scans require this prefix, and those started by an earlier version require it from the moment
 * when this version takes part.
 */
const NAMES = 'names:';

/** For a scan that an earlier version may have started. */
export async function requireKey(db: Queryable, scan: number): Promise<void> {
  await db.query(
    `update lease_group set requires = '${NAMES}' || setting.value
     from setting
     where lease_group.id = $1 and (lease_group.requires is null or lease_group.requires = 'key:' || setting.value)
       and setting.tenant = lease_group.tenant and setting.name = 'fingerprint key check'`,
    [scan],
  );
}

/** The offers of a worker with this key, for scans of this version and of earlier ones. */
export function offersOf(key: Buffer): string[] {
  const check = keyCheckOf(key);
  return [`${NAMES}${check}`, `key:${check}`];
}

/** Identifies the key without revealing anything else about it. */
export function keyCheckOf(key: Buffer): string {
  return createHash('sha256').update('seine fingerprint key check').update(key).digest('hex').slice(0, 16);
}

/** Rejects a file made with another key: its fingerprints could never match. */
export function checkKeyOfFile(file: string, written: unknown, own: string): void {
  if (written === own) return;
  throw new SeineError('conflict', `The fingerprints in ${file} were made with another key than yours.`, {
    hint: 'Use the key of the installation that wrote it: set SEINE_FINGERPRINT_KEY to the hexadecimal digits of its fingerprint.key. Or export the file again with your own key.',
  });
}
