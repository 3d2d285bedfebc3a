/** Scans of stores that do something wrong: the ledger equals the listing, and the exit code is 0 only if nothing was left out by an error. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { accessFaults } from '../../src/sources/faults/access-faults.fixture.ts';
import { azure } from '../../src/sources/faults/azure-protocol.fixture.ts';
import type { Fault } from '../../src/sources/faults/fault.fixture.ts';
import { startFaultServer } from '../../src/sources/faults/fault-server.fixture.ts';
import { gcs } from '../../src/sources/faults/gcs-protocol.fixture.ts';
import { listingFaults } from '../../src/sources/faults/listing-faults.fixture.ts';
import { type Protocol, SECRET } from '../../src/sources/faults/protocol.fixture.ts';
import { readingFaults } from '../../src/sources/faults/reading-faults.fixture.ts';
import { regionFaults } from '../../src/sources/faults/region-faults.fixture.ts';
import { KEY_ID, s3 } from '../../src/sources/faults/s3-protocol.fixture.ts';
import { expectedKeys, makeStoreContents } from '../../src/sources/faults/store-contents.fixture.ts';
import { type ReportJson, scansOf } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';

const seine = openSeine();
afterAll(() => seine.close());

const truth = makeStoreContents();
const OBJECTS = expectedKeys(truth).length;

interface Store {
  readonly protocol: Protocol;
  readonly target: string;
  /** An entry of `sources:`. */
  source(endpoint: string): object;
}

const stores: readonly Store[] = [
  {
    protocol: s3,
    target: 's3://box/data/',
    source: (endpoint) => ({
      url: 's3://box',
      endpoint,
      region: 'us-east-1',
      credentials: { access_key_id: KEY_ID, secret_access_key_env: 'STORE_SECRET' },
    }),
  },
  {
    protocol: azure,
    target: 'az://acct/box/data/',
    source: (endpoint) => ({
      url: 'az://acct/box',
      endpoint: `${endpoint}/acct`,
      credentials: { account_key_env: 'STORE_SECRET' },
    }),
  },
  {
    protocol: gcs,
    target: 'gs://box/data/',
    source: (endpoint) => ({ url: 'gs://box', endpoint, credentials: { token_env: 'STORE_SECRET' } }),
  },
];

/** How a scan must end: its exit code, its status, and what was not read. */
interface End {
  readonly fault: string;
  readonly code: 0 | 1;
  readonly status: string;
  /** The reason of the one object that was not read. */
  readonly reason?: string;
  /** With every protocol. */
  readonly all?: true;
}

const ends: readonly End[] = [
  { fault: 'no fault', code: 0, status: 'completed' },
  { fault: 'a bucket in another region', code: 0, status: 'completed' },
  { fault: 'a bucket that moves while it is scanned', code: 0, status: 'completed' },
  { fault: 'our clock is an hour behind', code: 0, status: 'completed' },
  { fault: '429 without a body', code: 0, status: 'completed' },
  { fault: 'a body that ends after 34999 bytes, properly', code: 0, status: 'completed' },
  { fault: 'an object that turns out to be archived', code: 0, status: 'completed', reason: 'archived' },
  {
    fault: 'an object that is deleted before it is read',
    code: 0,
    status: 'completed',
    reason: 'deleted before it was read',
  },
  { fault: 'no permission for an object', code: 1, status: 'incomplete', reason: 'no permission', all: true },
  {
    fault: 'an object that is replaced before it is read',
    code: 1,
    status: 'incomplete',
    reason: 'changed while it was read',
  },
  {
    fault: 'the size of an object is "-1"',
    code: 1,
    status: 'incomplete',
    reason: 'the store lists an invalid size',
  },
  { fault: 'a body that is longer than listed', code: 1, status: 'incomplete', reason: 'could not be read' },
  { fault: '400 for an object', code: 1, status: 'incomplete', reason: 'the source rejected the request' },
];

/** What ends the whole scan: nothing of it may pass for a result. */
const stops: [string, RegExp][] = [
  ['a secret that is replaced while objects are read', /refuses the (signature|credential|token)/],
  ['a name behind the prefix', /does not start with data/],
];

const none: Fault = { name: 'no fault', on: 'any', times: 0, expected: 'complete' };
const faults = [none, ...listingFaults, ...readingFaults, ...regionFaults, ...accessFaults];
/** One protocol for each fault, in turn, unless all are wanted: the sources are tested with every fault by themselves. */
let turn = 0;
function casesOf(name: string, isForAll = false) {
  const fault = faults.find((one) => one.name === name)!;
  const able = stores.filter(({ protocol }) => fault.only?.includes(protocol.name) ?? true);
  const chosen = isForAll ? able : [able[turn++ % able.length]!];
  return chosen.map((store) => ({ name: store.protocol.name, store, fault }));
}

async function scan({ protocol, target, source }: Store, fault: Fault) {
  await using server = await startFaultServer(protocol, truth, fault);
  const config = join(seine.folder, `${protocol.name}.yaml`);
  writeFileSync(config, JSON.stringify({ sources: [source(server.endpoint)], queue: { max_retries: 0 } }));
  const args = ['scan', target, '--full', '--json', '-q', '--threads', '1', '--config', config];
  const ended = await seine.run(args, { env: { STORE_SECRET: SECRET } });
  return { ...ended, requests: server.requests };
}

describe.each(ends)('a store with "$fault"', ({ fault: name, code, status, reason, all }) => {
  it.each(casesOf(name, all))(`ends with ${code}, ${status}: $name`, async ({ store, fault }) => {
    const ended = await scan(store, fault);
    expect(ended.code, ended.stderr + ended.stdout).toBe(code);
    const { scan: row, coverage } = JSON.parse(ended.stdout) as ReportJson;
    expect(row.status).toBe(status);
    expect(coverage.objects).toBe(OBJECTS);
    const unread = coverage.reasons.map((line) => [line.reason, line.objects]);
    expect(unread).toEqual(reason === undefined ? [] : [[reason, 1]]);
  });
});

describe.each(stops)('a store with "%s"', (name, message) => {
  it.each(casesOf(name, true))(
    'ends with 1, and the scan is not completed: $name',
    async ({ store, fault }) => {
      const ended = await scan(store, fault);
      expect(ended.code, ended.stderr + ended.stdout).toBe(1);
      expect(ended.requests).toBeGreaterThan(3);
      expect(ended.stderr + ended.stdout).toMatch(message);
      expect((await scansOf(seine))[0]!.status).not.toBe('completed');
    },
  );
});
