import { INVALID_SIZE } from '../store/listed-size.ts';
import type { Fault, FaultContext } from './fault.fixture.ts';
import { type Entry, type Page, type Reply, replyOf } from './protocol.fixture.ts';
import { VICTIM } from './store-contents.fixture.ts';

const swap = ([a, b, c, ...rest]: readonly Entry[]) => [a!, c!, b!, ...rest];
const token = (n: number) => Buffer.from(`nowhere ${n}`).toString('base64');
const changed = (change: (entry: Entry) => Entry) => (page: Page) => ({
  ...page,
  entries: page.entries.map((entry) => (entry.name === VICTIM ? change(entry) : entry)),
});
const sized = (size: string | null) => changed((entry) => ({ ...entry, size }));
const dated = (modified: string | null) => changed((entry) => ({ ...entry, modified }));
const withText = (text: (body: string) => string) => (reply: Reply) => ({
  ...reply,
  body: Buffer.from(text(reply.body.toString())),
});
const LOGIN = '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form>…</form></body></html>';
const html = () => replyOf(200, LOGIN, { 'content-type': 'text/html' });
const garbage: [string, (reply: Reply, meeting: FaultContext) => Reply][] = [
  ['an HTML page with status 200', html],
  ['nothing', () => replyOf(200)],
  [
    'a JSON object of something else',
    () => replyOf(200, '{"status":"ok"}', { 'content-type': 'application/json' }),
  ],
  ['an empty JSON object', () => replyOf(200, '{}')],
  ['JSON that is no object', () => replyOf(200, 'null')],
  [
    'a JSON listing with a wrong type',
    () => replyOf(200, '{"kind":"storage#objects","items":{"0":{"name":"data/x"}}}'),
  ],
  ['entries that are no objects', () => replyOf(200, '{"kind":"storage#objects","items":[null,"data/x",7]}')],
  ['XML of something else', () => replyOf(200, '<?xml version="1.0"?><Status>ok</Status>')],
  [
    'XML that does not close its elements',
    withText((body) =>
      body.replace(/<\/(Key|Name)>(?=<(LastModified|Properties))/, '').replace('"name"', '"name'),
    ),
  ],
  ['a listing with a byte order mark and nothing after it', () => replyOf(200, '\ufeff')],
  ['status 204', () => replyOf(204)],
  ['status 206', (reply) => ({ ...reply, status: 206, body: reply.body.subarray(0, 100) })],
  ['status 304', () => replyOf(304)],
  [
    'binary data',
    () => ({ status: 200, headers: {}, body: Buffer.from(Array.from({ length: 999 }, (_, i) => i & 255)) }),
  ],
];
const names: [string, Fault['only'], string][] = [
  ['a number of a character that does not exist', ['S3', 'Azure'], '&#x110000;'],
  ['a number of half a character', ['S3', 'Azure'], '&#xD800;'],
  ['an entity that is none', ['S3', 'Azure'], '&what;'],
  ['half an entity', ['S3', 'Azure'], '&am'],
];

/** A listing that fails once is retried; one that keeps failing ends the scan. It never loses a name. */
export const listingFaults: readonly Fault[] = [
  ...garbage.flatMap(([what, reply]): Fault[] => [
    { name: `a listing is ${what}, once`, on: 'list', skip: 1, times: 1, reply, expected: 'complete' },
    {
      name: `listings are always ${what}`,
      on: 'list',
      reply,
      expected: { stops: 'unavailable' },
      retryTimeoutMs: 0,
    },
  ]),
  {
    name: 'an empty page with a token, each time a page begins',
    on: 'list',
    page: (page, { storeRequest: request }) =>
      request.kind === 'list' && request.token === null && page.entries.length > 0
        ? { entries: [], next: Buffer.from(request.from || ' ').toString('base64') }
        : page,
    only: ['S3'],
    expected: 'complete',
  },
  {
    name: 'thirty empty pages with other tokens, then the rest',
    on: 'list',
    times: 30,
    page: (_page, { before }) => ({
      entries: [],
      next: Buffer.from(' '.repeat(before + 1)).toString('base64'),
    }),
    expected: 'complete',
  },
  {
    name: 'truncated without names and token',
    only: ['S3'],
    on: 'list',
    page: () => ({ entries: [], next: null, isTruncated: true }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'truncated without a token',
    only: ['S3'],
    on: 'list',
    page: (page) => ({ entries: page.entries, next: null, isTruncated: page.next !== null }),
    expected: 'complete',
  },
  {
    name: 'the same token for ever',
    on: 'list',
    page: () => ({ entries: [], next: token(1) }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'tokens in a circle',
    on: 'list',
    page: (_page, { before }) => ({ entries: [], next: token(before % 5) }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'names of a page in the wrong order',
    on: 'list',
    skip: 1,
    page: (page) => ({ ...page, entries: page.entries.length > 2 ? swap(page.entries) : page.entries }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'a page that begins before the end of the last one',
    on: 'list',
    skip: 2,
    page: (page, { protocol }) => ({
      ...page,
      entries: [protocol.entry('data/a', Buffer.alloc(1), '17', new Date()), ...page.entries],
    }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'a name twice in a page',
    on: 'list',
    skip: 1,
    page: (page) => ({ ...page, entries: page.entries.flatMap((entry) => [entry, entry]) }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'the first page again and again, whatever is asked for',
    on: 'list',
    page: (() => {
      let first: Page | null = null;
      return (page: Page, { before }: FaultContext) => {
        if (before === 0 || first === null) first = page;
        return first;
      };
    })(),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'a name before the prefix',
    on: 'list',
    times: 1,
    page: (page, { protocol }) => ({
      ...page,
      entries: [protocol.entry('aaa', Buffer.alloc(1), '17', new Date()), ...page.entries],
    }),
    expected: { stops: 'corrupt' },
  },
  {
    name: 'a name behind the prefix',
    on: 'list',
    page: (page, { protocol }) =>
      page.next === null
        ? {
            ...page,
            entries: [...page.entries, protocol.entry('zzz/outside', Buffer.alloc(9), '17', new Date())],
          }
        : page,
    expected: { stops: 'corrupt' },
  },
  {
    name: 'a number of entries that is not theirs',
    only: ['S3'],
    on: 'list',
    reply: withText((body) => body.replace(/<KeyCount>\d+/, '<KeyCount>99')),
    expected: { stops: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'no number of entries',
    only: ['S3'],
    on: 'list',
    reply: withText((body) => body.replace(/<KeyCount>.*?<\/KeyCount>/, '')),
    expected: 'complete',
  },
  {
    name: 'no word on whether there is more',
    only: ['S3'],
    on: 'list',
    reply: withText((body) => body.replace(/<IsTruncated>.*?<\/IsTruncated>/, '')),
    expected: { stops: 'unavailable' },
    retryTimeoutMs: 0,
  },
  ...['-1', '1.5', 'many', '', '1e30', '99999999999999999999', '0x10', null].map(
    (size): Fault => ({
      name: `the size of an object is ${size === null ? 'missing' : `"${size}"`}`,
      on: 'list',
      page: sized(size),
      expected: { unreadable: INVALID_SIZE },
      // An entry without a size is invalid in S3.
      ...(size === null && { but: { S3: { stops: 'unavailable' } }, retryTimeoutMs: 0 }),
    }),
  ),
  {
    name: 'the size of an object is too small',
    on: 'list',
    page: sized('69999'),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'the size of an object is too large',
    on: 'list',
    page: sized('70001'),
    expected: { notRead: 'changed' },
    retryTimeoutMs: 0,
  },
  {
    name: 'the size of an object is a petabyte',
    on: 'list',
    page: sized('1125899906842624'),
    expected: { notRead: 'changed' },
    retryTimeoutMs: 0,
  },
  ...[
    'yesterday',
    '',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '9999-99-99T99:99:99Z',
    '1601-01-01T00:00:00Z',
    '0000-00-00',
  ].map(
    (time): Fault => ({
      name: `the time of an object is "${time}"`,
      on: 'list',
      page: dated(time),
      expected: 'complete',
    }),
  ),
  {
    name: 'the time of an object is missing',
    on: 'list',
    page: dated(null),
    expected: 'complete',
    but: { S3: { stops: 'unavailable' } },
    retryTimeoutMs: 0,
  },
  ...names.map(
    ([what, only, text]): Fault => ({
      name: `a name with ${what}`,
      ...(only && { only }),
      on: 'list',
      page: (page, { protocol }) => {
        const rawName = protocol.name === 'S3' ? `${VICTIM}${text}` : `<Name>${VICTIM}${text}</Name>`;
        return changed((entry) => ({ ...entry, rawName }))(page);
      },
      expected: { stops: 'unavailable' },
      retryTimeoutMs: 0,
    }),
  ),
  {
    name: 'an encoded name that cannot be decoded',
    only: ['Azure'],
    on: 'list',
    page: changed((entry) => ({ ...entry, rawName: '<Name Encoded="true">data/%FF%</Name>' })),
    expected: { stops: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'an archived object',
    on: 'list',
    page: changed((entry) => ({ ...entry, isArchived: true })),
    expected: { unreadable: 'archived' },
    but: { GCS: 'complete' },
  },
];
