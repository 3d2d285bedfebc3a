import { describe, expect, it } from 'vitest';
import { checkEffects } from '../check-effects.ts';
import { testEnvironment } from '../spec/create-test-environment.ts';
import { specOf } from '../spec/spec.ts';
import { startChild } from './child.ts';
import { type Family, family } from './family.fixture.ts';

const { parent, job } = family('trial');

function world() {
  const trialled = testEnvironment(parent, job);
  return { ...trialled, jobs: trialled.of(job) };
}

describe('a trial with children', () => {
  it.each([
    ['completed', { type: 'finish', result: 'well' }, 'c completed: well'],
    ['failed', { type: 'give up' }, 'c failed: it is too much'],
  ] as const)('notifies the parent that one has %s', async (_, command, noted) => {
    const { send, state, jobs } = world();
    await send('p', { type: 'start', id: 'c' });
    await jobs.send('c', command);
    expect(jobs.status('c')).toBe('completed');
    expect(state('p')).toEqual([noted]);
  });

  it('notifies the parent of one that could not begin', async () => {
    const { send, state } = world();
    await send('p', { type: 'start', id: 'a', begin: { type: 'refuse' } });
    await send('p', { type: 'start', id: 'b', begin: { type: 'do nothing' } });
    await send('p', { type: 'start', id: 'c' });
    await send('q', { type: 'start', id: 'c' });
    expect(state('p')).toEqual([
      'a failed: Its first command was rejected: not today',
      'b failed: Its first command led to no events.',
    ]);
    expect(state('q')).toEqual(['c failed: There is a trial-job c already; a child needs an id of its own.']);
  });

  it('cancels them with their own children when the parent ends, unless they were abandoned', async () => {
    const { send, status, jobs } = world();
    await send('p', { type: 'start', id: 'c' });
    await send('p', { type: 'start', id: 'kept', onParentEnd: 'abandon' });
    await jobs.send('c', { type: 'start', id: 'grandchild' });
    await send('p', { type: 'end' });
    expect([status('p'), jobs.status('c'), jobs.status('grandchild'), jobs.status('kept')]).toEqual([
      'completed',
      'cancelled',
      'cancelled',
      'running',
    ]);
    expect(await jobs.send('c', { type: 'begin' })).toMatchObject({ rejected: 'trial-job c is cancelled' });
  });

  it('cancels a child of the parent with its own children, and no child of another parent', async () => {
    const { send, state, status, jobs } = world();
    await send('p', { type: 'start', id: 'c' });
    await send('p', { type: 'start', id: 'd' });
    await jobs.send('c', { type: 'start', id: 'grandchild' });
    await send('q', { type: 'cancel', id: 'd' });
    await send('p', { type: 'cancel', id: 'c' });
    await send('p', { type: 'cancel', id: 'c' });
    const of = ['c', 'grandchild', 'd'].map((id) => jobs.status(id));
    expect([status('p'), ...of]).toEqual(['running', 'cancelled', 'cancelled', 'running']);
    expect(state('p')).toEqual(['c cancelled']);
  });

  it('keeps their first commands if their workflow is no part of it', async () => {
    const alone = testEnvironment(parent);
    await alone.send('p', { type: 'start', id: 'c' });
    expect(alone.told).toEqual([{ workflow: 'trial-job', id: 'c', command: { type: 'begin' } }]);
  });

  it('compares what starts them as a value', async () => {
    await specOf(parent)
      .given()
      .when({ type: 'start', id: 'c' })
      .thenReacts(startChild(job, 'c', { type: 'begin' }, { name: 'job' }));
  });
});

describe('a child that can be no child', () => {
  const check = (effect: unknown, workflow: Family['parent'] = parent) =>
    checkEffects(workflow, [effect as never]);
  const start = startChild(job, 'c', { type: 'begin' });

  it.each([
    ['no id', { ...start, id: undefined }, 'no id'],
    ['an empty id', { ...start, id: '' }, 'empty'],
    ['an id that is too long', { ...start, id: 'x'.repeat(2000) }, 'the maximum is 1000'],
    ['an id with a zero', { ...start, id: 'a\0b' }, 'zero'],
    ['a name that is ours', { ...start, name: 'workflow' }, "can't be called workflow"],
    ['a policy that there is not', { ...start, onParentEnd: 'forget' }, 'onParentEnd'],
    ['no command', { ...start, command: undefined }, 'no type'],
    ['a command that is no JSON', { ...start, command: { type: 'x', n: 1n } }, 'BigInt'],
  ])('is refused: %s', (_, effect, why) => {
    expect(() => check(effect)).toThrow(why);
  });

  it('is rejected if an action has the same name: their events would be ambiguous', () => {
    const acting = { ...parent, actions: { job: async () => null } };
    expect(() => check({ ...start, name: 'job' }, acting)).toThrow('the action job');
  });

  it('is not refused otherwise', () => {
    expect(() => check(start)).not.toThrow();
  });
});
