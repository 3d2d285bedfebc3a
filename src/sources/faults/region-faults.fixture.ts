import type { Fault, FaultContext } from './fault.fixture.ts';
import { type Reply, replyOf } from './protocol.fixture.ts';
import { errorReply } from './s3-protocol.fixture.ts';

const HOUR = 3_600_000;
const redirectTo =
  (status: number) =>
  (_reply: Reply, { elsewhere, request }: FaultContext) =>
    replyOf(status, '', { location: `${elsewhere}${request.url}` });
/** S3's response if a bucket is in another region. */
const isRegional = (status: number) => status === 301 || status === 307;
const S3 = ['S3'] as const;
const regionReply =
  (status: number, code: string, more = '', headers: Record<string, string> = {}) =>
  () =>
    errorReply(status, code, more, headers);

/** Regions, redirects and clocks. */
export const regionFaults: readonly Fault[] = [
  {
    name: 'a bucket in another region',
    only: S3,
    on: 'any',
    times: 0,
    state: () => ({ region: 'eu-west-3' }),
    expected: 'complete',
  },
  {
    name: 'a bucket that moves while it is scanned',
    only: S3,
    on: 'any',
    times: 0,
    state: (n) => ({ region: n < 8 ? 'us-east-1' : 'eu-west-3' }),
    expected: 'complete',
  },
  {
    name: 'a bucket that moves and comes back',
    only: S3,
    on: 'any',
    times: 0,
    state: (n) => ({ region: n > 8 && n < 14 ? 'eu-west-3' : 'us-east-1' }),
    expected: 'complete',
  },
  ...(
    [
      [301, 'PermanentRedirect'],
      [400, 'AuthorizationHeaderMalformed'],
      [307, 'TemporaryRedirect'],
      [400, 'IllegalLocationConstraintException'],
    ] as const
  ).flatMap(([status, code]): Fault[] => [
    {
      name: `${status} ${code} with the region of the request in the body`,
      only: S3,
      on: 'object',
      reply: regionReply(status, code, '<Region>us-east-1</Region>'),
      expected: { notRead: 'usage' },
    },
    {
      name: `${status} ${code} without a region`,
      only: S3,
      on: 'list',
      reply: regionReply(status, code),
      expected: { stops: 'usage' },
    },
    {
      name: `${status} ${code} without a region, for one object`,
      only: S3,
      on: 'object',
      reply: regionReply(status, code),
      expected: { notRead: 'usage' },
    },
    {
      name: `${status} ${code} that names the region of the request`,
      only: S3,
      on: 'list',
      reply: regionReply(status, code, '', { 'x-amz-bucket-region': 'us-east-1' }),
      expected: { stops: 'usage' },
    },
    {
      name: `${status} ${code} that names what is no region`,
      only: S3,
      on: 'list',
      reply: regionReply(status, code, '', { 'x-amz-bucket-region': '../../x y' }),
      expected: { stops: 'usage' },
      retryTimeoutMs: 0,
    },
  ]),
  ...[301, 302, 303, 307, 308].flatMap((status): Fault[] => [
    {
      name: `${status} to another host, for a listing`,
      on: 'list',
      reply: redirectTo(status),
      expected: { stops: 'unavailable' },
      ...(isRegional(status) && { but: { S3: { stops: 'usage' } } }),
      retryTimeoutMs: 0,
    },
    {
      name: `${status} to another host, for an object`,
      on: 'object',
      reply: redirectTo(status),
      expected: { notRead: 'unavailable' },
      ...(isRegional(status) && { but: { S3: { notRead: 'usage' } } }),
      retryTimeoutMs: 0,
    },
  ]),
  ...(
    [
      ['an hour behind', HOUR],
      ['an hour ahead', -HOUR],
      ['five years behind', 5 * 365 * 24 * HOUR],
      ['twenty years ahead', -20 * 365 * 24 * HOUR],
    ] as const
  ).flatMap(([what, ms]): Fault[] => [
    {
      name: `our clock is ${what}`,
      only: S3,
      on: 'any',
      times: 0,
      state: () => ({ clockAheadMs: ms }),
      expected: 'complete',
    },
    {
      name: `our clock is ${what} from the middle of the scan on`,
      only: S3,
      on: 'any',
      times: 0,
      state: (n) => ({ clockAheadMs: n < 10 ? 0 : ms }),
      expected: 'complete',
    },
    {
      name: `our clock is ${what}, for Azure`,
      only: ['Azure'],
      on: 'any',
      times: 0,
      state: () => ({ clockAheadMs: ms }),
      expected: { stops: 'permission' },
    },
  ]),
  {
    name: 'the clock of the store changes again and again',
    only: S3,
    on: 'any',
    times: 0,
    state: (n) => ({ clockAheadMs: (n >> 3) % 2 === 0 ? 0 : HOUR }),
    expected: 'complete',
  },
  {
    name: 'a time that differs too much, and the date of another epoch, once',
    only: S3,
    on: 'any',
    skip: 8,
    times: 1,
    reply: () => errorReply(403, 'RequestTimeTooSkewed', '', { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    expected: 'complete',
  },
  ...(['', 'no date', '99999999999999999999'] as const).map(
    (date): Fault => ({
      name: `a time that differs too much, and the date "${date}"`,
      only: S3,
      on: 'any',
      skip: 8,
      times: 1,
      reply: () => errorReply(403, 'RequestTimeTooSkewed', '', { date }),
      expected: { stops: 'permission' },
    }),
  ),
];
