import type { Fault, FaultContext } from './fault.fixture.ts';
import { type Reply, replyOf, type StoreErrorKind } from './protocol.fixture.ts';
import { TAG } from './store-contents.fixture.ts';

const failWith =
  (what: StoreErrorKind) =>
  (_reply: Reply, { protocol }: FaultContext) =>
    protocol.errorReply(what);
const later =
  (retryAfter: string) =>
  (_reply: Reply, { protocol }: FaultContext) => {
    const reply = protocol.errorReply('slow down');
    return { ...reply, headers: { ...reply.headers, 'retry-after': retryAfter } };
  };

/** Credentials, permissions, changing objects, throttling. */
export const accessFaults: readonly Fault[] = [
  {
    name: 'a secret that is wrong',
    on: 'any',
    times: 0,
    state: () => ({ secret: 'b3RoZXI=' }),
    expected: { stops: 'permission' },
  },
  {
    name: 'a secret that is replaced while objects are read',
    on: 'any',
    times: 0,
    state: (n) => ({ secret: n < 12 ? 'bm90LWEtc2VjcmV0' : 'b3RoZXI=' }),
    expected: { stops: 'permission' },
  },
  {
    name: 'a secret that is replaced while names are listed',
    on: 'any',
    times: 0,
    state: (n) => ({ secret: n < 3 ? 'bm90LWEtc2VjcmV0' : 'b3RoZXI=' }),
    expected: { stops: 'permission' },
  },
  {
    name: 'a token that expires while objects are read',
    on: 'read',
    skip: 9,
    reply: failWith('expired'),
    expected: { stops: 'permission' },
  },
  {
    name: 'a token that expires while names are listed',
    on: 'list',
    skip: 2,
    reply: failWith('expired'),
    expected: { stops: 'permission' },
  },
  {
    name: 'no permission for an object',
    on: 'object',
    reply: failWith('denied'),
    expected: { notRead: 'permission' },
  },
  {
    name: 'no permission to list any more',
    on: 'list',
    skip: 2,
    reply: failWith('denied'),
    expected: { stops: 'permission' },
  },
  {
    name: '403 without a body',
    on: 'object',
    reply: () => replyOf(403),
    expected: { notRead: 'permission' },
  },
  {
    name: 'an object that is deleted before it is read',
    on: 'object',
    reply: failWith('missing'),
    expected: { notRead: 'not-found' },
  },
  {
    name: 'an object that is replaced before it is read',
    on: 'object',
    reply: failWith('changed'),
    expected: { notRead: 'changed' },
  },
  {
    name: 'an object that is replaced while it is read',
    on: 'object',
    skip: 1,
    reply: failWith('changed'),
    expected: { notRead: 'changed' },
  },
  {
    name: 'an object that shrinks while it is read',
    on: 'object',
    skip: 1,
    reply: failWith('bad range'),
    expected: { notRead: 'changed' },
  },
  {
    name: 'ETags that change with every listing',
    on: 'list',
    page: (page, { before }) => ({
      ...page,
      entries: page.entries.map((entry) =>
        entry.size === '70000' ? { ...entry, tag: `${TAG}${before}` } : entry,
      ),
    }),
    expected: { notRead: 'changed' },
  },
  {
    name: 'an object that turns out to be archived',
    only: ['S3', 'Azure'],
    on: 'object',
    reply: failWith('archived'),
    expected: { notRead: 'unavailable' },
  },
  {
    name: 'a bucket that is deleted while it is listed',
    on: 'list',
    skip: 2,
    reply: failWith('no bucket'),
    expected: { stops: 'not-found' },
  },
  ...[
    '1',
    '0',
    '-5',
    'soon',
    '',
    '99999999999999999999',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '0.5',
    'NaN',
  ].map(
    (wish): Fault => ({
      name: `"slow down" with Retry-After "${wish}"`,
      on: 'any',
      skip: 4,
      times: 2,
      reply: later(wish),
      expected: 'complete',
      retryTimeoutMs: 300,
    }),
  ),
  {
    name: '429 without a body',
    on: 'any',
    skip: 2,
    times: 3,
    reply: () => replyOf(429),
    expected: 'complete',
  },
  {
    name: '"slow down" for ever',
    on: 'list',
    reply: later('0'),
    expected: { stops: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: '"slow down" for ever, for an object',
    on: 'object',
    reply: later('0'),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  ...[500, 502, 503, 504, 520, 599].flatMap((status): Fault[] => [
    {
      name: `a storm of ${status}`,
      on: 'any',
      skip: 1,
      times: 12,
      reply: () => replyOf(status),
      expected: 'complete',
    },
    {
      name: `${status} for ever, for an object`,
      on: 'object',
      reply: () => replyOf(status),
      expected: { notRead: 'unavailable' },
      retryTimeoutMs: 0,
    },
  ]),
  ...[400, 405, 409, 411, 418, 451].map(
    (status): Fault => ({
      name: `${status} for an object`,
      on: 'object',
      reply: () => replyOf(status),
      expected: { notRead: 'usage' },
    }),
  ),
  ...[408].map(
    (status): Fault => ({
      name: `${status} for an object, once`,
      on: 'object',
      times: 1,
      reply: () => replyOf(status),
      expected: 'complete',
    }),
  ),
];
