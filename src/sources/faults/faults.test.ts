/** Every fault of the table, for every protocol: the outcome is correct, or it is recorded as not read. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { accessFaults } from './access-faults.fixture.ts';
import { azure } from './azure-protocol.fixture.ts';
import type { Expected, Fault } from './fault.fixture.ts';
import { startFaultServer } from './fault-server.fixture.ts';
import { gcs } from './gcs-protocol.fixture.ts';
import { listingFaults } from './listing-faults.fixture.ts';
import { networkFaults } from './network-faults.fixture.ts';
import { type Protocol, SECRET } from './protocol.fixture.ts';
import { readingFaults } from './reading-faults.fixture.ts';
import { regionFaults } from './region-faults.fixture.ts';
import { s3 } from './s3-protocol.fixture.ts';
import {
  expectedKeys,
  IN_PARTS,
  makeStoreContents,
  type ReadOutcome,
  readEverything,
  VICTIM,
} from './store-contents.fixture.ts';

const truth = makeStoreContents();
const keys = expectedKeys(truth);
const protocols: readonly Protocol[] = [s3, azure, gcs];
const groups: [string, readonly Fault[]][] = [
  ['listing', listingFaults],
  ['reading', readingFaults],
  ['place', regionFaults],
  ['access', accessFaults],
  ['network', networkFaults],
];
/** Sufficient for every fault here. */
const MOST_REQUESTS = 400;

beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterAll(() => void vi.restoreAllMocks());

const none: Fault = { name: 'no fault', on: 'any', times: 0, expected: 'complete' };
const casesOf = (faults: readonly Fault[]) =>
  faults.flatMap((fault) =>
    protocols
      .filter(({ name }) => fault.only?.includes(name) ?? true)
      .map((protocol) => ({ protocol, fault })),
  );
const total = groups.reduce((sum, [, faults]) => sum + casesOf(faults).length, 0);

describe(`a store with faults (${total} cases)`, () => {
  it.each(protocols)('behaves correctly without a fault: $name', (protocol) => expectOutcome(protocol, none));

  describe.each(groups)('%s', (_name, faults) => {
    it.concurrent.each(
      casesOf(faults).map(({ protocol, fault }) => [protocol.name, fault.name, protocol, fault] as const),
    )('%s: %s', (_protocol, _fault, protocol, fault) => expectOutcome(protocol, fault));
  });
});

async function expectOutcome(protocol: Protocol, fault: Fault): Promise<void> {
  await using server = await startFaultServer(protocol, truth, fault);
  const { retryTimeoutMs = 60_000, answerMs = 30_000 } = fault;
  const source = protocol.open(server.endpoint, SECRET, { retryTimeoutMs, answerMs });
  const result = await readEverything(source, truth);
  const expected = fault.but?.[protocol.name] ?? fault.expected;
  expect(result.wrong).toEqual([]);
  expect(server.leaked).toEqual([]);
  expect(server.requests).toBeLessThan(MOST_REQUESTS);
  // Everything listed exists, in order.
  expect(result.keys).toEqual(keys.slice(0, result.keys.length));
  expect(summaryOf(result, fault)).toEqual(wantedOf(expected));
}

/** The objects that a fault of this kind may affect. */
function isAffected({ on }: Fault, key: string): boolean {
  if (on === 'range') return truth.get(nameOf(key))!.length >= IN_PARTS;
  return key === keyOf(VICTIM);
}

function summaryOf({ keys: listed, read, notRead, stopped }: ReadOutcome, fault: Fault): object {
  if (stopped !== null) return { stopped };
  const affected = Object.keys(notRead);
  const others = affected.filter((key) => !isAffected(fault, key));
  const reasons = new Set(Object.values(notRead));
  const missing = keys.length - listed.length;
  return {
    missing,
    unaccounted: listed.length - read.length - affected.length,
    others,
    reasons: [...reasons],
  };
}

function wantedOf(expected: Expected): object {
  if (typeof expected === 'object' && 'stops' in expected) return { stopped: expected.stops };
  const reasons =
    expected === 'complete' ? [] : ['notRead' in expected ? expected.notRead : expected.unreadable];
  return { missing: 0, unaccounted: 0, others: [], reasons };
}

function nameOf(key: string): string {
  return Buffer.from(key, 'latin1').toString('utf8');
}
