import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, maybeOne } from '../../db/database.ts';
import { compileAttributeFilter } from '../../filter/attribute-filter.ts';
import type { ActionDone } from '../actions/action.ts';
import { handleCommands } from '../commands/handle.ts';
import { type AttributeValue, defineWorkflow } from '../define.ts';
import { act } from '../effects.ts';
import { attributeNames, findWorkflows, listWorkflows } from '../queries/workflow-queries.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import type { Typed } from '../typed.ts';

let db: Database & { url: string };
let runner: Runner | null = null;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterEach(async () => {
  await runner?.stop(0);
  runner = null;
});
afterAll(() => db.close());

const tenant = 'default';

type Change = { readonly type: 'change'; readonly to: Readonly<Record<string, unknown>> };
type Changed = { readonly type: 'changed'; readonly to: Readonly<Record<string, unknown>> };
type State = Readonly<Record<string, unknown>>;

/** Its state is what it is changed to; the result of `price` becomes a part of it. */
function item(name: string, attributes: (state: State) => Readonly<Record<string, AttributeValue>>) {
  return defineWorkflow<State, Change, Changed | ActionDone<'price', number>>({
    name,
    initial: () => ({}),
    decide: (_, { to }) => ({ type: 'changed', to }),
    evolve: (state, event) =>
      event.type === 'changed' ? { ...state, ...event.to } : { ...state, price: event.result },
    react: (event) => (event.type === 'changed' && event.to.ask ? act('price') : []),
    actions: { price: async () => 42 },
    attributes,
  });
}

const changing = (id: string, to: State) => ({ tenant, id, command: { type: 'change', to } as Typed });
const change = (workflow: ReturnType<typeof item>, id: string, to: State) =>
  handleCommands(db, workflow, [changing(id, to)]);

const stored = (name: string, id: string) =>
  maybeOne<{ version: number; attributes: unknown }>(
    db,
    `select a.version, attributes from workflow_attribute a join workflow on key = workflow_key where name = $1 and id = $2`,
    [name, id],
  );

async function found(name: string, where: string, more: { after?: number; limit?: number } = {}) {
  const { jsonpath } = compileAttributeFilter(where);
  const { limit = 100, after } = more;
  return findWorkflows(db, { tenant, name, after, jsonpath }, limit);
}
const ids = async (name: string, where: string) => (await found(name, where)).map(({ id }) => id).sort();

describe('attributes', () => {
  it('are stored with the events of each command, the last state counts', async () => {
    const workflow = item('stored', ({ status, due }) => ({
      status: status as string,
      due: due as string,
      none: null,
    }));
    await handleCommands(db, workflow, [
      changing('a', { status: 'open' }),
      changing('a', { status: 'paid' }),
    ]);
    expect(await stored('stored', 'a')).toEqual({ version: 2, attributes: { status: 'paid' } });
    await change(workflow, 'a', { status: null, due: 'now' });
    expect(await stored('stored', 'a')).toEqual({ version: 3, attributes: { due: 'now' } });
  });

  it('may be dates of any year with four digits', async () => {
    const workflow = item('years', ({ at }) => ({ at: new Date(at as string) }));
    for (const at of ['0000-01-01T00:00:00.000Z', '1899-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      await change(workflow, 'a', { at });
      expect(await stored('years', 'a')).toMatchObject({ attributes: { at } });
    }
  });

  it('follow the result of an action with the reaction to it', async () => {
    const workflow = item('priced', ({ price }) => ({ price: price as number }));
    await change(workflow, 'a', { ask: true });
    runner = await startRunner(db, { workflows: [workflow], pollMs: 20 });
    await expect.poll(() => stored('priced', 'a')).toEqual({ version: 2, attributes: { price: 42 } });
  });

  it('of an older state never replace those of a newer one', async () => {
    const workflow = item('ordered', ({ n }) => ({ n: n as number }));
    await change(workflow, 'a', { n: 1 });
    await change(workflow, 'a', { n: 2 });
    runner = await startRunner(db, { workflows: [workflow], pollMs: 20, eventsAtOnce: 1 });
    await expect.poll(() => runner!.counts.events).toBe(2);
    expect(await stored('ordered', 'a')).toEqual({ version: 2, attributes: { n: 2 } });
  });

  it('are not written for workflows that define none', async () => {
    const { attributes: _, ...plain } = item('plain', () => ({}));
    await change(defineWorkflow(plain) as never, 'a', { n: 1 });
    expect(await stored('plain', 'a')).toBeNull();
    expect(await listWorkflows(db, { tenant, name: 'plain' }, 10)).toMatchObject([{ attributes: null }]);
  });

  it.each<[string, unknown, string]>([
    ['an object as a value', { a: {} }, 'a is of the type object'],
    ['a list', { a: [1] }, 'a is a list'],
    ['not a number', { a: Number.NaN }, 'a is NaN'],
    ['no date', { a: new Date('x') }, 'a is not a date'],
    ['a date beyond the calendar', { a: new Date(8.64e15) }, 'a is not a date'],
    ['a date before the year 0', { a: new Date('-000001-12-31') }, 'a is not a date'],
    ['a long text', { a: 'x'.repeat(1001) }, 'a has 1001 characters'],
    ['half a character', { a: '\ud800' }, 'a contains a character'],
    ['a zero character', { a: 'x\0' }, 'a contains a character'],
    ['a big integer', { a: 1n }, 'a is of the type bigint'],
    ['a name that cannot be asked for', { 'a-b': 1 }, `"a-b" can't be a name`],
    ['too many', Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`a${n}`, n])), '33 of them'],
    ['nothing', undefined, 'of the type undefined is no object'],
  ])('that are %s are refused, and nothing of that command is written', async (what, value, message) => {
    const name = `bad-${what.replaceAll(' ', '-')}`;
    const workflow = item(name, ({ good }) => (good ? { fine: true } : (value as never)));
    const outcomes = await handleCommands(db, workflow, [
      changing('bad', {}),
      changing('good', { good: true }),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'failed', error: { kind: 'usage', message: expect.stringContaining(message) } },
      { outcome: 'accepted' },
    ]);
    expect((await listWorkflows(db, { tenant, name }, 10)).map(({ id }) => id)).toEqual(['good']);
  });
});

describe('workflows are found by', () => {
  const [NAME, DAY] = ['found', 86_400_000];
  beforeAll(async () => {
    const workflow = item(NAME, (state) => {
      const { due, ...rest } = state as { due?: number };
      return { ...rest, due: due === undefined ? null : new Date(due) };
    });
    const begin = Date.UTC(2026, 0, 31);
    await change(workflow, 'a', { status: 'open', amount: 500, urgent: true, due: begin });
    await change(workflow, 'b', { status: 'open', amount: 1500.5, urgent: false, due: begin + DAY - 1 });
    await change(workflow, 'c', { status: 'paid', amount: 2000, day: '2026-01-31', due: begin + DAY });
    await change(workflow, 'e', {
      name: 'zebra',
      about: '2026-01-31 and later',
      far: '9999-12-31T23:59:59.999Z',
    });
    await change(workflow, 'd', { amount: '1500', say: `it's "100 %" [a-z] \\d $.x` });
  });

  it.each<[string, string[]]>([
    [`status == "open" and amount > 1000`, ['b']],
    [`status = 'open' or amount >= 2000`, ['a', 'b', 'c']],
    [`amount < 1500.5`, ['a']],
    [`amount <= 1500.5`, ['a', 'b']],
    [`amount = '1500'`, ['d']],
    [`status != 'open'`, ['c', 'd', 'e']],
    [`not (status = 'open' and urgent = true)`, ['b', 'c', 'd', 'e']],
    [`urgent != true`, ['b', 'c', 'd', 'e']],
    [`missing(status)`, ['d', 'e']],
    [`not missing(urgent)`, ['a', 'b']],
    [`status contains 'PE'`, ['a', 'b']],
    [`say contains '[A-Z] \\D $.'`, ['d']],
    [`say contains '"100 %"'`, ['d']],
    [`say = 'it''s "100 %" [a-z] \\d $.x'`, ['d']],
    [`due = '2026-01-31'`, ['a', 'b']],
    [`due > '2026-01-31'`, ['c']],
    [`due >= '2026-01-31T23:59'`, ['b', 'c']],
    [`due < '2026-02-01'`, ['a', 'b']],
    [`due <= '2026-01-31T00:00:00Z'`, ['a']],
    [`due != '2026-01-31'`, ['c', 'd', 'e']],
    [`day = '2026-01-31'`, ['c']],
    [`day >= '2026-01-31' and day < '2026-02-01'`, ['c']],
    [`amount > -1e9`, ['a', 'b', 'c']],
    [`name > '2026-01-01' or name < '2026-01-01'`, []],
    [`about >= '2026-01-31' or about = '2026-01-31'`, []],
    [`about = '2026-01-31 and later'`, ['e']],
    [`far = '9999-12-31' and far <= '9999-12-31' and not far > '9999-12-31'`, ['e']],
    [`far < '9999-12-31T23:59-14:00' and not far >= '9999-12-31T23:59-14:00'`, ['e']],
    [`day > '0000-01-01T00:00+14:00' and not day <= '0000-01-01T00:00+14:00'`, ['c']],
    [`status = 'open") || true || ("'`, []],
  ])('%s', async (where, expected) => {
    expect(await ids(NAME, where)).toEqual(expected);
  });

  it('page by page, the newest first', async () => {
    const [first] = await found(NAME, 'missing(nothing)', { limit: 1 });
    const rest = await found(NAME, 'missing(nothing)', { after: first!.key });
    expect([first!.id, ...rest.map(({ id }) => id)]).toEqual(['d', 'e', 'c', 'b', 'a']);
  });

  it('names that exist', async () => {
    const names = await attributeNames(db, { tenant, name: NAME }, 100);
    expect(names).toEqual(['about', 'amount', 'day', 'due', 'far', 'name', 'say', 'status', 'urgent']);
    expect(await attributeNames(db, { tenant, name: NAME }, 1)).toEqual(['amount', 'say']);
  });
});
