/** Actions that misbehave in every way we know: each fails with a sentence that says why, and its neighbours notice nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many, one } from '../../db/database.ts';
import { MAX_EVENT_BYTES } from '../../events/append-store.ts';
import { historyOf, processes, reaches, requestActions, workflowWith } from './action.fixture.ts';
import type { Action, ActionContext } from './action.ts';

let db: Database;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(10);
  runners = processes(db);
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const POLICY = { attempts: 2, firstWait: 0, mostWait: 0 };

type Deed = (input: { list: number[] }) => unknown;
type Case = readonly [what: string, deed: Deed, reason: RegExp];

const circle: { self?: unknown } = {};
circle.self = circle;
const thrown = (error: unknown) => () => {
  throw error;
};
const hostile = new Proxy({}, { get: thrown(new Error('no')), has: thrown(new Error('no')) });
const withMessage = (message: unknown) =>
  Object.defineProperty(new Error(), 'message', { get: () => message });

const THROWS: readonly Case[] = [
  ['throws an error', thrown(new Error('no answer')), /^no answer$/],
  ['throws null', thrown(null), /^It threw null instead of an error\.$/],
  ['throws undefined', thrown(undefined), /^It threw undefined instead of an error\.$/],
  ['throws a text', thrown('odd'), /^odd$/],
  ['throws a symbol', thrown(Symbol('odd')), /^Symbol\(odd\)$/],
  ['throws an object without a message', thrown(Object.create(null)), /message cannot be read/],
  ['throws something that throws when it is read', thrown(hostile), /message cannot be read/],
  ['throws an error without a message', thrown(new Error()), /^It threw an error without a message\.$/],
  [
    'throws an error whose message throws',
    thrown(Object.defineProperty(new Error(), 'message', { get: thrown(1) })),
    /message cannot be read/,
  ],
  ['throws an error whose message is no text', thrown(withMessage({})), /./],
  ['throws an error of 20 MB', thrown(new Error('x'.repeat(20 << 20))), /^x{3999}…$/],
  ['throws an error with a zero character', thrown(new Error('a\0b')), /^a␀b$/],
  ['throws an error with a lone surrogate', thrown(new Error('a\ud800b')), /^a\ufffdb$/],
  [
    'throws an error that is cut within a surrogate pair',
    thrown(new Error(`${'x'.repeat(3998)}😀😀`)),
    /^x{3998}\ufffd…$/,
  ],
  [
    'throws an error whose retry throws',
    thrown(Object.defineProperty(new Error('no'), 'retry', { get: thrown(1) })),
    /^no$/,
  ],
  [
    'throws an error that is final',
    thrown(Object.assign(new Error('refused'), { retry: false })),
    /^refused$/,
  ],
  ['rejects', () => Promise.reject(new Error('no answer')), /^no answer$/],
  // biome-ignore lint/suspicious/noThenProperty: it is what is tested
  ['returns a thenable that throws', () => ({ then: thrown(new Error('then')) }), /^then$/],
];

const RETURNS: readonly Case[] = [
  ['returns a BigInt', () => 10n, /^The result of bad can't be written as JSON: .*BigInt/],
  ['returns a circle', () => circle, /can't be written as JSON: .*circular/],
  ['returns a function', () => () => 1, /can't be written as JSON: it is function\.$/],
  ['returns a symbol', () => Symbol('x'), /can't be written as JSON: it is symbol\.$/],
  ['returns a zero character', () => ({ text: 'a\0b' }), /contains a zero character \(\\u0000\)/],
  ['returns a lone surrogate', () => ['a\udc00b'], /contains a lone surrogate \(\\udc00\)/],
  ['returns half of a pair as a key', () => ({ '\ud800': 1 }), /contains a lone surrogate/],
  ['returns too much', () => 'x'.repeat(MAX_EVENT_BYTES), /has 262146 bytes; the maximum is 262128/],
  ['returns too much of more than one byte each', () => 'é'.repeat(MAX_EVENT_BYTES / 2), /has 262146 bytes/],
  ['returns what throws as it is written', () => ({ toJSON: thrown(new Error('json')) }), /as JSON: json/],
  [
    'returns what has a getter that throws',
    () => Object.defineProperty({}, 'x', { enumerable: true, get: thrown(null) }),
    /as JSON: It threw null/,
  ],
  [
    'returns a hostile proxy',
    () => Promise.resolve(1).then(() => ({ inside: hostile })),
    /can't be written as JSON: no/,
  ],
];

const HANGS: readonly Case[] = [
  ['never resolves', () => new Promise(() => {}), /^It took longer than 50 ms\.$/],
  [
    'ignores its signal, and throws later',
    () => new Promise((_, reject) => setTimeout(reject, 300, new Error('late'))),
    /^It took longer/,
  ],
];

/** With the time that a try has: short for what never ends by itself. */
const ALL = [
  ...[...THROWS, ...RETURNS].map((one) => [...one, 60_000] as const),
  ...HANGS.map((one) => [...one, 50] as const),
];

async function runBeside(bad: Action) {
  const kind = `k${randomUUID()}`;
  const wishes = [{ name: 'bad', input: { list: [1] } }, ...Array(3).fill({ name: 'good' })];
  const { key, actions } = await requestActions(db, kind, 'order-1', wishes);
  runners.start(workflowWith(kind, { bad, good: async () => 'fine' }));
  for (const id of actions.slice(1)) await reaches(db, id, 'done');
  return { key, id: actions[0]! };
}

async function expectFailed(bad: Action, reason: RegExp): Promise<void> {
  const { key, id } = await runBeside(bad);
  await reaches(db, id, 'failed');
  const story = await historyOf(db, key);
  expect(story.filter(([type]) => type === 'good.done')).toHaveLength(3);
  expect(story.filter(([type]) => type === 'bad.failed')).toEqual([
    ['bad.failed', { error: expect.stringMatching(reason), attempts: expect.any(Number) }],
  ]);
  expect(await many(db, 'select state, reason from dead_letter where action_id = $1', [id])).toEqual([
    { state: 'open', reason: expect.stringMatching(reason) },
  ]);
  expect(await one(db, 'select crashes from action where id = $1', [id])).toEqual({ crashes: 0 });
  expect(runners.errors).toEqual([]);
}

describe('an action that', () => {
  it.each(ALL)('%s fails with a sentence that says so', async (_, deed, reason, timeout) => {
    await expectFailed({ run: (input) => deed(input) as Promise<unknown>, ...POLICY, timeout }, reason);
  });

  it.each([
    ['a BigInt', 10n, /^The checkpoint of bad can't be written as JSON/],
    ['a circle', circle, /can't be written as JSON/],
    ['a function', () => 1, /it is function/],
    ['a zero character', '\0', /zero character/],
    ['a lone surrogate', '\ud800', /surrogate/],
    ['too much', 'x'.repeat(MAX_EVENT_BYTES), /bytes/],
  ])('saves %s as its checkpoint fails', async (_, value, reason) => {
    const run = (_input: unknown, { checkpoint }: ActionContext) => checkpoint.save(value);
    await expectFailed({ run, ...POLICY }, reason);
  });

  it('changes its input changes it for this try alone', async () => {
    const seen: unknown[] = [];
    const run: Deed = (input) => {
      seen.push([...input.list]);
      input.list.push(2);
      throw new Error('again');
    };
    await expectFailed({ run: async (input) => run(input), ...POLICY }, /^again$/);
    expect(seen).toEqual([[1], [1]]);
  });

  it('returns nothing is done', async () => {
    const { key, id } = await runBeside(async () => undefined);
    await reaches(db, id, 'done');
    expect(await historyOf(db, key)).toContainEqual(['bad.done', { result: null }]);
  });
});

describe('a transaction that', () => {
  it.each(ALL)(
    '%s fails with a sentence that says so, and is rolled back',
    async (_, deed, reason, timeout) => {
      const transaction: Extract<Action, { transaction: unknown }>['transaction'] = async (tx, input) => {
        await tx.query(
          `insert into setting (tenant, name, value) values ('bad', gen_random_uuid()::text, '')`,
        );
        return deed(input);
      };
      await expectFailed({ transaction, ...POLICY, timeout }, reason);
      expect(await many(db, `select from setting where tenant = 'bad'`)).toEqual([]);
    },
  );

  it.each([
    ['that is no SQL', 'selekt', /syntax error/],
    ['that is no text', 7 as unknown as string, /./],
    ['that cannot be read', hostile as string, /./],
  ])('asks for something %s fails', async (_, sql, reason) => {
    await expectFailed({ transaction: (tx) => tx.query(sql), ...POLICY }, reason);
  });
});
