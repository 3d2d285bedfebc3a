/** All settings. A new one is added here and in `Config` only; a test compares the table in the documentation with it. */
import { availableParallelism } from 'node:os';
import { ENDS, EXPORT_FORMATS } from '../hook-config.ts';
import { ALERTS, RETENTION } from './operation-declaration.ts';
import { group, list, secret, single, type ValueOf } from './shape.ts';
import { address, choice, decimal, duration, flag, integer, rate, text } from './value-type.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const credentials = group('Credentials of this source (default: the provider’s default credential chain)', {
  access_key_id: secret('S3: access key id', { clear: 'anything' }),
  secret_access_key: secret('S3: secret access key'),
  session_token: secret('S3: session token of temporary credentials'),
  connection_string: secret('Azure: connection string of the storage account'),
  account_key: secret('Azure: key of the storage account'),
  sas_token: secret('Azure: shared access signature (SAS)'),
  key_file: single('Google: path of the key file of a service account', text('a path')),
  token: secret('Google: access token'),
});

/** A URL that may be written in the file, because it holds no password. */
const endpoint = address(
  'an HTTP URL without a password',
  /^https?:\/\/[^\s/]\S*$/,
  'write it like https://storage.example.org:9000',
);
const location = address(
  'an absolute path, or a URL without a password',
  /^(?:(?:fs:)?\/|[a-z][a-z0-9+.-]*:\/\/)[^\p{Cc}]{0,2000}$/u,
  'write it like s3://bucket/prefix or /srv/share: workers have different working folders',
);

const source = group(
  'Connection settings for targets that start with this URL',
  {
    url: single(
      'URL prefix of the targets this entry applies to; the longest matching entry is used',
      location,
      { harmless: true },
    ),
    endpoint: single('Endpoint of another server than the provider’s', endpoint),
    region: single('Region of the provider', text()),
    profile: single('Named profile of the provider’s configuration files', text()),
    account: single('Azure: storage account', text()),
    project: single('Google: project that is billed', text()),
    anonymous: single('Send no credentials', flag()),
    requester_pays: single('Accept requester-pays charges', flag()),
    path_style: single('S3: use endpoint/bucket/key instead of bucket.endpoint/key', flag()),
    shared: single('The folder is mounted at the same path on every worker', flag()),
    credentials,
    cap: single('Maximum shards of this source at a time, over all workers', integer(1, 10_000), {
      harmless: true,
    }),
    rate: single('Request rate limit of this source, over all workers', rate(0.01, 1_000_000), {
      harmless: true,
    }),
    burst: single('Maximum burst of requests after a pause', integer(1, 1_000_000), {
      harmless: true,
    }),
    prices: group(
      'Prices of the provider, in the currency of your budgets; missing ones are those of its price list',
      {
        list: single('Price of 1,000 listing requests', decimal(0, 1_000_000), { harmless: true }),
        read: single('Price of 1,000 read requests', decimal(0, 1_000_000), { harmless: true }),
        write: single('Price of 1,000 write requests', decimal(0, 1_000_000), { harmless: true }),
        gigabyte: single('Price of a gigabyte read', decimal(0, 1_000_000), { harmless: true }),
      },
    ),
  },
  { required: ['url'], needs: [['burst', 'rate']] },
);

const hook = group(
  'Webhooks and exports that run when a scan has ended',
  {
    name: single('Name in messages', text('a name', /^[\w .-]{1,60}$/)),
    webhook: secret('URL that a summary is posted to', { clear: 'address', address: /^https?:\/\// }),
    secret: secret('Secret that signs the requests to the webhook'),
    export: single('Folder or bucket that findings are written to', location),
    format: single('Format of the export (default: parquet)', choice(...EXPORT_FORMATS)),
    allow_private: single('Allow the webhook to be on a private network', flag()),
    shared: single('The export folder is mounted at the same path on every worker', flag()),
    on: list(
      'Final states of a scan for which the hook runs',
      single('Final state of a scan', choice(...ENDS)),
      ENDS,
    ),
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
    'One process that does everything (single), or workers that share a database (distributed)',
    choice('single', 'distributed'),
    {
      default: 'single',
      env: 'SEINE_MODE',
    },
  ),
  database: group('The PostgreSQL server', {
    url: secret('Connection URL (default: a private server in the data folder)', {
      clear: 'address',
      address: /^postgres(ql)?:\/\//,
      open: true,
      env: 'DATABASE_URL',
      unset: 'private server',
    }),
    direct_url: secret(
      'Connection URL of the same database that bypasses a connection pooler; only needed for notifications if `url` is a pooler',
      {
        clear: 'address',
        address: /^postgres(ql)?:\/\//,
        open: true,
        env: 'SEINE_DIRECT_DATABASE_URL',
        unset: 'as `url`',
      },
    ),
    pool: single('Maximum connections of one process; one more listens for notifications', integer(2, 1000), {
      harmless: 'downwards',
      default: 3,
      env: 'SEINE_POOL',
    }),
  }),
  redis: group('The Redis server, for rate limits shared by many workers', {
    url: secret('Connection URL (default: PostgreSQL is used instead)', {
      clear: 'address',
      address: /^rediss?:\/\//,
      open: true,
      env: 'REDIS_URL',
      unset: 'none',
    }),
  }),
  tenant: single('Tenant that scans belong to', text('a name', /^[^\p{Cc}]{1,100}$/u), {
    default: 'default',
    env: 'SEINE_TENANT',
  }),
  worker: group('Resources of one worker', {
    concurrency: single('Shards processed at a time', integer(1, 256), {
      harmless: 'downwards',
      default: 4,
      env: 'SEINE_CONCURRENCY',
      flag: 'concurrency',
    }),
    threads: single('Detection threads (default: number of cores)', integer(1, 256), {
      harmless: 'downwards',
      default: availableParallelism,
      env: 'SEINE_THREADS',
      flag: 'threads',
    }),
    memory: single(
      'Memory limit in megabytes, for this process, its threads and its document reader processes together',
      integer(256, 1024 * 1024),
      { env: 'SEINE_MEMORY_MB', unset: '512 and 256 for each thread' },
    ),
    reads_at_once: single('Objects of a bucket that each thread reads concurrently', integer(1, 1024), {
      harmless: 'downwards',
      default: 16,
      env: 'SEINE_READS_AT_ONCE',
    }),
  }),
  queue: group('Leases, heartbeats and retries', {
    claim_timeout: single(
      'Lease duration: a shard is released if its worker has not renewed the lease for this time',
      duration(1000, 60 * MINUTE),
      {
        harmless: true,
        default: 15_000,
        env: 'SEINE_LEASE_SECONDS',
      },
    ),
    blocked_timeout: single(
      'Maximum time a function of a workflow may block its runner before the runner is ended',
      duration(1000, 60 * MINUTE),
      {
        default: MINUTE,
        env: 'SEINE_BLOCKED_SECONDS',
      },
    ),
    heartbeat_interval: single('Heartbeat interval of a worker', duration(100, 60 * MINUTE), {
      harmless: true,
      default: 2000,
      env: 'SEINE_HEARTBEAT_SECONDS',
    }),
    max_retries: single('Retries of a failed object before it becomes a dead letter', integer(0, 100), {
      harmless: true,
      default: 3,
      env: 'SEINE_MAX_RETRIES',
    }),
    stale_threshold: single(
      'Time without a heartbeat after which a worker counts as stale',
      duration(1000, DAY),
      {
        harmless: true,
        default: MINUTE,
        env: 'SEINE_STALE_SECONDS',
      },
    ),
    stall: single('Time without progress after which an object fails', duration(1000, DAY), {
      harmless: 'downwards',
      default: MINUTE,
      env: 'SEINE_STALL_SECONDS',
    }),
  }),
  plan: group('Initial shards of a scan', {
    min_objects_per_shard: single('Minimum objects of a shard', integer(1, 1_000_000_000), {
      harmless: true,
      default: 1000,
    }),
    max_initial_shards: single('Maximum initial shards', integer(1, 10_000), {
      harmless: true,
      default: 32,
    }),
    unknown_shards: single('Initial shards of a source of unknown size', integer(1, 10_000), {
      harmless: true,
      default: 4,
    }),
    list_calls: single('Maximum listing requests for the estimate', integer(0, 100_000), {
      harmless: true,
      default: 128,
    }),
  }),
  sources: list('Connection settings and rate limits of sources', source),
  budget: single('Default budget of a scan, such as requests=2M, cost=$40', text(), {
    harmless: true,
    env: 'SEINE_BUDGET',
    unset: 'none',
  }),
  hooks: list('Webhooks and exports that run when a scan has ended', hook),
  workflows: list(
    'Modules with your workflows, run by seine runner',
    single('TypeScript or JavaScript file', text('a path')),
  ),
  alerts: ALERTS,
  retention: RETENTION,
});

export type Values = ValueOf<typeof DECLARATION>;
export type SourceValues = Values['sources'][number];
export type HookValues = Values['hooks'][number];
