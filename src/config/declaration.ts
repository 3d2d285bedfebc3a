/** Every setting there is. A new one is added here, in `Config` and nowhere else; the documentation's table is tested against it. */
import { availableParallelism } from 'node:os';
import { ENDS, EXPORT_FORMATS } from './hook-config.ts';
import { group, list, secret, single, type ValueOf } from './shape.ts';
import {
  address,
  choice,
  decimal,
  duration,
  durationOrNever,
  flag,
  integer,
  rate,
  text,
} from './value-type.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const YEARS = 36_500 * DAY;

const credentials = group('Where the keys to this source are; without it the provider’s usual places', {
  access_key_id: secret('S3: the name of the key', { clear: 'anything' }),
  secret_access_key: secret('S3: the key'),
  session_token: secret('S3: the token of a temporary key'),
  connection_string: secret('Azure: the connection string of the storage account'),
  account_key: secret('Azure: the key of the storage account'),
  sas_token: secret('Azure: a shared access signature'),
  key_file: single('Google: path of a service account’s key file', text('a path')),
  token: secret('Google: an access token'),
});

/** An address that may stand in the file: whoever reads it learns no password. */
const endpoint = address(
  'a web address without a password',
  /^https?:\/\/[^\s/]\S*$/,
  'write it like https://storage.example.org:9000',
);
const place = address(
  'an absolute path, or an address without a password',
  /^(?:(?:fs:)?\/|[a-z][a-z0-9+.-]*:\/\/)[^\p{Cc}]{0,2000}$/u,
  'write it like s3://bucket/prefix or /srv/share: a worker’s own folder is not known here',
);

const source = group(
  'How targets that begin with this address are reached',
  {
    url: single(
      'The beginning of the targets that this is about; the longest that fits a target counts',
      place,
      { harmless: true },
    ),
    endpoint: single('Another server than the provider’s own', endpoint),
    region: single('The provider’s region', text()),
    profile: single('A named profile of the provider’s own configuration files', text()),
    account: single('Azure: the storage account', text()),
    project: single('Google: the project that pays', text()),
    anonymous: single('Sends no credentials at all', flag()),
    requester_pays: single('Agrees that the reader pays', flag()),
    path_style: single('S3: endpoint/bucket/key instead of bucket.endpoint/key', flag()),
    shared: single('A folder that every worker sees under the same path', flag()),
    credentials,
    cap: single('Shards of this source at a time, over all workers', integer(1, 10_000), { harmless: true }),
    rate: single('Requests to this source, over all workers', rate(0.01, 1_000_000), { harmless: true }),
    burst: single('Requests that may be sent at once after a pause', integer(1, 1_000_000), {
      harmless: true,
    }),
    prices: group(
      'What the provider asks, in the currency of your budgets; what isn’t said is as in its price list',
      {
        list: single('For 1,000 listing requests', decimal(0, 1_000_000), { harmless: true }),
        read: single('For 1,000 reading requests', decimal(0, 1_000_000), { harmless: true }),
        write: single('For 1,000 writing requests', decimal(0, 1_000_000), { harmless: true }),
        gigabyte: single('For a gigabyte read', decimal(0, 1_000_000), { harmless: true }),
      },
    ),
  },
  { required: ['url'], needs: [['burst', 'rate']] },
);

const hook = group(
  'What happens after a scan has ended',
  {
    name: single('Its name in messages', text('a name', /^[\w .-]{1,60}$/)),
    webhook: secret('The address that is told', { clear: 'address', address: /^https?:\/\// }),
    secret: secret('Signs what is sent to the webhook'),
    export: single('The place that findings are written to', place),
    format: single('The format of the export (parquet)', choice(...EXPORT_FORMATS)),
    allow_private: single('Lets the webhook be on a private network', flag()),
    shared: single('The export goes to a folder that every worker sees under the same path', flag()),
    on: list('The ends it is for', single('An end of a scan', choice(...ENDS)), ENDS),
  },
  {
    oneOf: ['webhook', 'export'],
    needs: [
      ['secret', 'webhook'],
      ['allow_private', 'webhook'],
      ['format', 'export'],
      ['shared', 'export'],
    ],
  },
);

export const DECLARATION = group('The configuration of Seine', {
  mode: single(
    'One process that does everything, or workers that share a database',
    choice('single', 'distributed'),
    {
      preset: 'single',
      env: 'SEINE_MODE',
    },
  ),
  database: group('The PostgreSQL server', {
    url: secret('Its address; without one a private server of the data folder is used', {
      clear: 'address',
      address: /^postgres(ql)?:\/\//,
      open: true,
      env: 'DATABASE_URL',
      unset: 'private server',
    }),
    direct_url: secret(
      'The same database without a connection pooler in between; only needed for notifications when `url` leads to a pooler',
      {
        clear: 'address',
        address: /^postgres(ql)?:\/\//,
        open: true,
        env: 'SEINE_DIRECT_DATABASE_URL',
        unset: 'as `url`',
      },
    ),
    pool: single(
      'Connections of one process, at most; one more listens for notifications',
      integer(2, 1000),
      {
        harmless: 'downwards',
        preset: 3,
        env: 'SEINE_POOL',
      },
    ),
  }),
  redis: group('The Redis server, for rates that many workers share', {
    url: secret('Its address; without one PostgreSQL does its work', {
      clear: 'address',
      address: /^rediss?:\/\//,
      open: true,
      env: 'REDIS_URL',
      unset: 'none',
    }),
  }),
  tenant: single('Whose scans these are', text('a name', /^[^\p{Cc}]{1,100}$/u), {
    preset: 'default',
    env: 'SEINE_TENANT',
  }),
  worker: group('One worker', {
    concurrency: single('Shards in hand at a time', integer(1, 256), {
      harmless: 'downwards',
      preset: 4,
      env: 'SEINE_CONCURRENCY',
      flag: 'concurrency',
    }),
    threads: single('Detection threads; one a core, unless said otherwise', integer(1, 256), {
      harmless: 'downwards',
      preset: availableParallelism,
      env: 'SEINE_THREADS',
      flag: 'threads',
    }),
    memory: single(
      'Megabytes for this process with its threads and the processes that read documents, all together',
      integer(256, 1024 * 1024),
      { env: 'SEINE_MEMORY_MB', unset: '512 and 256 for each thread' },
    ),
    reads_at_once: single('Objects of a bucket that each thread fetches at the same time', integer(1, 1024), {
      harmless: 'downwards',
      preset: 16,
      env: 'SEINE_READS_AT_ONCE',
    }),
  }),
  queue: group('Shards and jobs among workers', {
    claim_timeout: single(
      'How long a shard stays with a worker that gives no sign of life',
      duration(1000, 60 * MINUTE),
      {
        harmless: true,
        preset: 15_000,
        env: 'SEINE_LEASE_SECONDS',
      },
    ),
    blocked_timeout: single(
      'How long a function of a workflow may block its runner before that is ended',
      duration(1000, 60 * MINUTE),
      {
        preset: MINUTE,
        env: 'SEINE_BLOCKED_SECONDS',
      },
    ),
    heartbeat_interval: single('How often a worker says that it lives', duration(100, 60 * MINUTE), {
      harmless: true,
      preset: 2000,
      env: 'SEINE_HEARTBEAT_SECONDS',
    }),
    max_retries: single(
      'How often an object that failed is tried again before it is a dead letter',
      integer(0, 100),
      {
        harmless: true,
        preset: 3,
        env: 'SEINE_MAX_RETRIES',
      },
    ),
    stale_threshold: single('How long a worker may be silent before it counts as gone', duration(1000, DAY), {
      harmless: true,
      preset: MINUTE,
      env: 'SEINE_STALE_SECONDS',
    }),
    stall: single('How long one object may make no progress before it is given up', duration(1000, DAY), {
      harmless: 'downwards',
      preset: MINUTE,
      env: 'SEINE_STALL_SECONDS',
    }),
  }),
  plan: group('The shards that a scan begins with', {
    min_objects_per_shard: single('A smaller shard is not worth its while', integer(1, 1_000_000_000), {
      harmless: true,
      preset: 1000,
    }),
    max_initial_shards: single('Shards at the beginning, at most', integer(1, 10_000), {
      harmless: true,
      preset: 32,
    }),
    unknown_shards: single('Shards at the beginning of a source of unknown size', integer(1, 10_000), {
      harmless: true,
      preset: 4,
    }),
    list_calls: single('Listing requests that the plan may cost', integer(0, 100_000), {
      harmless: true,
      preset: 128,
    }),
  }),
  sources: list('How sources are reached, and how hard', source),
  budget: single('What a scan may use unless it says otherwise, like requests=2M, cost=$40', text(), {
    harmless: true,
    env: 'SEINE_BUDGET',
    unset: 'none',
  }),
  hooks: list('What happens after a scan has ended', hook),
  workflows: list(
    'Files with your own workflows: seine runner runs what they export',
    single('A TypeScript or JavaScript file', text('a path')),
  ),
  alerts: group('From where on somebody should look', {
    stale_worker: single('A worker is silent for so long', duration(1000, DAY), {
      harmless: true,
      preset: MINUTE,
    }),
    shard_without_progress: single('A shard’s cursor stands still for so long', duration(1000, 30 * DAY), {
      harmless: true,
      preset: 5 * MINUTE,
    }),
    dead_letters_per_minute: single('Dead letters in a minute', decimal(0, 1_000_000), {
      harmless: true,
      preset: 10,
    }),
    limiter_waiting: single('Part of the workers’ time spent waiting for the rate limit', decimal(0, 1), {
      harmless: true,
      preset: 0.5,
    }),
    leader_changes_per_hour: single('Changes of the leader in an hour', decimal(0, 10_000), {
      harmless: true,
      preset: 3,
    }),
    connections_percent: single('Part of the database’s connections in use', decimal(0, 100), {
      harmless: true,
      preset: 80,
    }),
    rejected_messages_per_hour: single(
      'Messages that workflows of one kind rejected in an hour',
      integer(0, 1_000_000),
      { harmless: true, preset: 0 },
    ),
  }),
  retention: group('How long what has ended is kept', {
    finished_scans: single('Scans with their findings', durationOrNever(60 * MINUTE, YEARS), {
      preset: null,
    }),
    ended_leases: single('Positions of shards that have ended', durationOrNever(MINUTE, YEARS), {
      preset: 7 * DAY,
    }),
    ended_workflows: single(
      'Events, actions and results of your own workflows that have ended; their ids stay taken',
      durationOrNever(60 * MINUTE, YEARS),
      { preset: null },
    ),
    command_ids: single(
      'Ids of commands whose events were deleted: so long a repeated command has no second effect',
      durationOrNever(60 * MINUTE, YEARS),
      { preset: null },
    ),
    finished_actions: single(
      'Actions of your own workflows that have ended, also of workflows that go on',
      durationOrNever(60 * MINUTE, YEARS),
      { preset: null },
    ),
  }),
});

export type Values = ValueOf<typeof DECLARATION>;
export type SourceValues = Values['sources'][number];
export type HookValues = Values['hooks'][number];
