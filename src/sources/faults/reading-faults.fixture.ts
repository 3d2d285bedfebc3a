import type { Fault } from './fault.fixture.ts';
import type { Reply } from './protocol.fixture.ts';

const SIZE = 70_000;
const headed = (headers: Record<string, string>) => (reply: Reply) => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});
const grown = (reply: Reply) => ({
  ...reply,
  body: Buffer.concat([reply.body, Buffer.from('more than there is')]),
});
const first = (bytes: number) => (reply: Reply) => ({ ...reply, body: reply.body.subarray(0, bytes) });
const NOT_READ = { expected: { notRead: 'unavailable' }, retryTimeoutMs: 0 } as const;
const CUTS = [0, 1, 2, 16_383, 16_384, 34_999, 35_000, 65_535, 65_536, SIZE - 1];

/** The bytes read of an object are those in the store, or the object is recorded as not read. */
export const readingFaults: readonly Fault[] = [
  { name: 'a body that is longer than listed', on: 'object', reply: grown, ...NOT_READ },
  {
    name: 'a chunked body that is longer than listed',
    on: 'object',
    reply: grown,
    send: { isChunked: true },
    ...NOT_READ,
  },
  {
    name: 'a body that is longer than listed, once',
    on: 'object',
    times: 1,
    reply: grown,
    expected: 'complete',
  },
  { name: 'bodies that are longer than listed', on: 'read', times: 5, reply: grown, expected: 'complete' },
  {
    name: 'a body without an end',
    on: 'object',
    reply: grown,
    send: { isChunked: true, close: 'hang' },
    ...NOT_READ,
    answerMs: 400,
  },
  { name: 'a body that is always empty', on: 'object', reply: first(0), ...NOT_READ },
  {
    name: 'a body that always lacks its last byte',
    on: 'object',
    send: { isChunked: true, bytes: 1000 },
    reply: first(0),
    ...NOT_READ,
  },
  ...CUTS.flatMap((bytes): Fault[] => [
    {
      name: `a body that ends after ${bytes} bytes, properly`,
      on: 'object',
      times: 1,
      send: { isChunked: true, bytes },
      expected: 'complete',
    },
    {
      name: `a body that is shorter than announced: ${bytes} bytes`,
      on: 'object',
      times: 1,
      send: { bytes },
      expected: 'complete',
    },
    {
      name: `a connection reset after ${bytes} bytes`,
      on: 'object',
      times: 1,
      send: { bytes, close: 'reset' },
      expected: 'complete',
    },
    {
      name: `a chunked body cut after ${bytes} bytes`,
      on: 'object',
      times: 2,
      send: { bytes, isChunked: true, close: 'reset' },
      expected: 'complete',
    },
  ]),
  {
    name: 'bodies that always break after 20,000 bytes',
    on: 'read',
    send: { bytes: 20_000 },
    expected: 'complete',
  },
  {
    name: 'an announced length that is too short',
    on: 'object',
    times: 1,
    send: { length: (real) => real - 10 },
    expected: 'complete',
  },
  {
    name: 'an announced length that is too long',
    on: 'object',
    times: 1,
    send: { length: (real) => real + 10 },
    expected: 'complete',
  },
  { name: 'two lengths', on: 'object', send: { head: 'content-length: 3\r\n' }, ...NOT_READ },
  {
    name: 'two lengths, once',
    on: 'object',
    times: 1,
    send: { head: 'content-length: 3\r\n' },
    expected: 'complete',
  },
  {
    name: 'a length and chunks',
    on: 'object',
    send: { head: 'content-length: 3\r\n', isChunked: true },
    ...NOT_READ,
  },
  { name: 'a negative length', on: 'object', send: { length: () => -1 }, ...NOT_READ },
  { name: 'a length that is no number', on: 'object', send: { length: () => Number.NaN }, ...NOT_READ },
  {
    name: 'a chunk of an impossible size',
    on: 'object',
    send: { instead: Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc') },
    ...NOT_READ,
  },
  {
    name: 'an answer that is no HTTP',
    on: 'object',
    send: { instead: Buffer.from('SSH-2.0-OpenSSH_9.9\r\n') },
    ...NOT_READ,
  },
  {
    name: 'an answer that is no HTTP, once',
    on: 'any',
    times: 1,
    send: { instead: Buffer.from('SSH-2.0-OpenSSH_9.9\r\n') },
    expected: 'complete',
  },
  {
    name: 'half a head',
    on: 'object',
    send: { instead: Buffer.from('HTTP/1.1 200 OK\r\ncontent-le') },
    ...NOT_READ,
  },
  {
    name: 'a head of a megabyte',
    on: 'object',
    send: { head: `x-long: ${'y'.repeat(1 << 20)}\r\n` },
    ...NOT_READ,
  },
  {
    name: 'a head of a megabyte, once',
    on: 'any',
    skip: 3,
    times: 1,
    send: { head: `x-long: ${'y'.repeat(1 << 20)}\r\n` },
    expected: 'complete',
  },
  {
    name: 'informational answers first',
    on: 'any',
    send: { first: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n' },
    expected: 'complete',
  },
  {
    name: 'a part that begins elsewhere',
    on: 'range',
    reply: (reply) =>
      headed({ 'content-range': reply.headers['content-range']!.replace(/bytes \d+/, 'bytes 0') })(reply),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'a part of another size',
    on: 'range',
    reply: (reply) =>
      headed({ 'content-range': reply.headers['content-range']!.replace(/\d+$/, '7') })(reply),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'a part without Content-Range',
    on: 'range',
    reply: (reply) => ({ ...reply, headers: {} }),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'a part in other units',
    on: 'range',
    reply: headed({ 'content-range': 'lines 1-2/3' }),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'several parts',
    on: 'range',
    reply: (reply) => ({ ...reply, headers: { 'content-type': 'multipart/byteranges; boundary=x' } }),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'the whole instead of a part',
    on: 'range',
    reply: (reply) => ({ ...reply, status: 200, headers: {} }),
    expected: { notRead: 'unavailable' },
    retryTimeoutMs: 0,
  },
  {
    name: 'parts of unknown total',
    on: 'range',
    reply: (reply) =>
      headed({ 'content-range': reply.headers['content-range']!.replace(/\d+$/, '*') })(reply),
    expected: 'complete',
  },
  { name: 'parts that end early', on: 'range', reply: (reply) => shorter(reply), expected: 'complete' },
  {
    name: 'the whole as a part',
    on: 'object',
    reply: (reply) =>
      reply.status === 206
        ? reply
        : { ...reply, status: 206, headers: { 'content-range': `bytes 0-${SIZE - 1}/${SIZE}` } },
    expected: 'complete',
  },
  {
    name: 'the whole as a part that does not say which',
    on: 'object',
    reply: (reply) => ({ ...reply, status: 206, headers: {} }),
    ...NOT_READ,
  },
  {
    name: 'a body compressed on the way',
    on: 'object',
    reply: (reply) => ({ ...first(5000)(reply), status: 200, headers: { 'content-encoding': 'gzip' } }),
    ...NOT_READ,
  },
  {
    name: 'a chunked body compressed on the way',
    on: 'object',
    reply: (reply) => ({ ...reply, status: 200, headers: { 'content-encoding': 'br' } }),
    send: { isChunked: true },
    ...NOT_READ,
  },
  {
    name: 'status 204 for an object',
    on: 'object',
    reply: (reply) => ({ ...first(0)(reply), status: 204 }),
    ...NOT_READ,
  },
  {
    name: 'status 304 for an object',
    on: 'object',
    reply: (reply) => ({ ...first(0)(reply), status: 304 }),
    ...NOT_READ,
  },
  {
    name: 'an HTML page for an object',
    on: 'object',
    reply: () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>Sign in</html>'),
    }),
    ...NOT_READ,
  },
];

function shorter(reply: Reply): Reply {
  const body = reply.body.subarray(0, Math.ceil(reply.body.length / 2));
  const range = reply.headers['content-range']!;
  const start = Number(/bytes (\d+)/.exec(range)![1]);
  const shown = range.replace(/-\d+\//, `-${start + body.length - 1}/`);
  return { ...reply, body, headers: { ...reply.headers, 'content-range': shown } };
}
