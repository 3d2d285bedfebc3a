import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, env: NodeJS.ProcessEnv = {}, flags = {}) {
  const config = join(folder, 'seine.yaml');
  writeFileSync(config, text);
  return readConfig({ config, data: folder, ...flags }, env);
}

describe('a configuration', () => {
  it('of nothing has the defaults', () => {
    expect(readConfig({ data: folder, config: '/dev/null' }, {})).toEqual({
      file: '/dev/null',
      dataFolder: folder,
      mode: 'single',
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      pool: 3,
      redisUrl: undefined,
      tenant: 'default',
      concurrency: 4,
      threads: availableParallelism(),
      readsAtOnce: 16,
      leaseMs: 15_000,
      blockedMs: 60_000,
      heartbeatMs: 2000,
      maxRetries: 3,
      staleMs: 60_000,
      stallMs: 60_000,
      plan: { minObjectsPerShard: 1000, maxInitialShards: 32, unknownShards: 4, listCalls: 128 },
      sources: [],
      budget: undefined,
      hooks: [],
      workflows: [],
      alerts: {
        staleWorkerMs: 60_000,
        shardWithoutProgressMs: 300_000,
        deadLettersPerMinute: 10,
        limiterWaiting: 0.5,
        leaderChangesPerHour: 3,
        connectionsPercent: 80,
        rejectedMessagesPerHour: 0,
      },
      retention: {
        finishedScansMs: null,
        endedLeasesMs: 7 * 86_400_000,
        endedWorkflowsMs: null,
        commandIdsMs: null,
        finishedActionsMs: null,
      },
    });
  });

  it('cannot be changed, however deep', () => {
    const config = read('hooks: [{ export: /a }]\nsources: [{ url: s3://a, prices: { list: 1 } }]\n');
    expect(() => Object.assign(config.sources[0]!.prices!, { list: 2 })).toThrow();
    expect(() => Object.assign(config.hooks[0]!.on, { 0: 'never' })).toThrow();
    expect(() => Object.assign(config, { threads: 2 })).toThrow();
  });

  it('takes times as numbers of seconds, as other programs do', () => {
    const queue = 'queue:\n  claim_timeout: 300\n  heartbeat_interval: 30\n  stale_threshold: 600\n';
    expect(read(queue)).toMatchObject({ leaseMs: 300_000, heartbeatMs: 30_000, staleMs: 600_000 });
  });

  it('has the addresses of servers at hand, from wherever they are', () => {
    writeFileSync(join(folder, 'url'), 'postgres://seine:hush@db/seine\n');
    expect(read('database: { url_file: url }').databaseUrl).toBe('postgres://seine:hush@db/seine');
    expect(read('redis: { url_env: R }', { R: 'redis://r' }).redisUrl).toBe('redis://r');
    expect(read('', { DATABASE_URL: 'postgresql://db', REDIS_URL: 'rediss://r' })).toMatchObject({
      databaseUrl: 'postgresql://db',
      redisUrl: 'rediss://r',
    });
  });

  it('never uses another database because the address of the right one is missing', () => {
    expect(() => read('mode: single\ndatabase: { url_env: PROD }')).toThrow(
      `${folder}/seine.yaml:2:22: The environment variable PROD is not set.`,
    );
    expect(() => read('', { DATABASE_URL: 'mysql://u:hush@db' })).toThrow(
      'DATABASE_URL must start with postgres://.',
    );
  });

  it('with a mistake says where it is, and how many there are', () => {
    const failed = () => read('mode: singel\ntenant: 5\n');
    expect(failed).toThrow(`${folder}/seine.yaml:1:7: mode must be single or distributed, not "singel".`);
    expect(failed).toThrow(
      expect.objectContaining({
        kind: 'usage',
        hint: 'did you mean single?\n  2 errors in total. List them: seine config check',
      }),
    );
    expect(() => read('', { SEINE_THREADS: 'many' })).toThrow(
      'SEINE_THREADS must be a whole number from 1 to 256, not "many".',
    );
    expect(() => read('', {}, { threads: '0' })).toThrow(
      '--threads must be a whole number from 1 to 256, not "0".',
    );
  });
});
