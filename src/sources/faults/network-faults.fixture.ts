import type { Fault, Transfer } from './fault.fixture.ts';

const LISTING = { on: 'list', expected: { stops: 'unavailable' }, retryTimeoutMs: 0 } as const;
const OBJECT = { on: 'object', expected: { notRead: 'unavailable' }, retryTimeoutMs: 0 } as const;
/** Short, but longer than a response takes on a busy machine. */
const SOON = 600;

const ways: [string, Transfer, { answerMs?: number }][] = [
  ['reset before the answer', { instead: 'reset' }, {}],
  ['closed before the answer', { instead: 'end' }, {}],
  ['reset after the head', { bytes: 0, close: 'reset' }, {}],
  ['closed after the head', { bytes: 0 }, {}],
  ['reset in the body', { bytes: 50, close: 'reset' }, {}],
  ['closed in the body', { bytes: 50 }, {}],
  ['closed in a chunk', { bytes: 50, isChunked: true, close: 'reset' }, {}],
  ['silent instead of an answer', { instead: 'hang' }, { answerMs: SOON }],
  ['silent after the head', { bytes: 0, close: 'hang' }, { answerMs: SOON }],
  ['silent in the body', { bytes: 50, close: 'hang' }, { answerMs: SOON }],
  ['trickling byte by byte', { everyMs: 50 }, { answerMs: SOON }],
];

/** Truncates a listing at positions where the data received might pass for a complete one. */
const cuts = [1, 20, 39, 60, 100, 101, 150, 200, 300, 400, 500, 700, 900, 1000];

export const networkFaults: readonly Fault[] = [
  ...ways.flatMap(([what, send, time]): Fault[] => [
    {
      name: `a connection ${what}, once, for a listing`,
      on: 'list',
      skip: 1,
      times: 1,
      send,
      expected: 'complete',
      ...time,
    },
    { name: `connections always ${what}, for listings`, send, ...LISTING, ...time },
    {
      name: `a connection ${what}, once, for an object`,
      on: 'object',
      times: 1,
      send,
      expected: 'complete',
      ...time,
    },
    {
      name: `connections always ${what}, for an object`,
      send,
      ...OBJECT,
      ...time,
      ...(/body|chunk/.test(what) && { times: 3 }),
    },
    {
      name: `connections ${what}, one after another`,
      on: 'any',
      skip: 2,
      times: time.answerMs === undefined ? 6 : 2,
      send,
      expected: 'complete',
      ...time,
    },
  ]),
  ...cuts.flatMap((bytes): Fault[] => [
    {
      name: `a listing that ends after ${bytes} bytes, properly`,
      on: 'list',
      times: 2,
      send: { bytes, isChunked: true },
      expected: 'complete',
    },
    {
      name: `a listing cut after ${bytes} bytes`,
      on: 'list',
      skip: 1,
      times: 1,
      send: { bytes },
      expected: 'complete',
    },
  ]),
];
