import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { type Database, one } from '../db/database.ts';
import { openDatabase, openWorkflows } from './public.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(2);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => db.close());

describe('a program', () => {
  it('reaches the database of DATABASE_URL without naming it', async () => {
    vi.stubEnv('DATABASE_URL', db.url);
    const opened = await openDatabase();
    const name = 'select current_database() as name';
    expect(await one(opened, name)).toEqual(await one(db, name));
    await opened.close();
  });

  it.each([
    ['connections, not 0', { connections: 0 }],
    ['maxQueued, not NaN', { maxQueued: Number.NaN }],
  ])('rejects a wrong option by its name: %s', async (sentence, wrong) => {
    await expect(openWorkflows({ databaseUrl: db.url, ...wrong })).rejects.toThrow(sentence);
  });
});
