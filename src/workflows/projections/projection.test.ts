import { describe, expect, it } from 'vitest';
import { counter } from '../counter.fixture.ts';
import { defineProjection, isNewer, sourceOf, workflowsOf } from './projection.ts';

const right = { name: 'right', from: [counter()], init() {}, apply() {}, reset() {} };
const event = { workflow: 'counter', type: 'added', tags: ['even'] };

describe('a definition of a projection', () => {
  it.each<[string, object, string]>([
    ['a name with a space', { name: 'a b' }, `can't be the name`],
    ['no workflow', { from: [] }, 'reads no workflow'],
    ['no events at a time', { batch: 0 }, 'a batch of 0'],
    ['no reset', { reset: undefined }, 'has no reset'],
  ])('with %s is refused', (_, wrong, message) => {
    expect(() => defineProjection({ ...right, ...wrong } as never)).toThrow(message);
  });

  it('names the workflows that it reads, each once', () => {
    const from = [
      counter('b'),
      { workflow: counter('a'), types: ['x'] },
      { workflow: counter('a'), tags: ['y'] },
    ];
    expect(workflowsOf(defineProjection({ ...right, from }))).toEqual(['a', 'b']);
  });
});

describe('an event is meant', () => {
  it.each<[string, object, object, boolean]>([
    ['of a workflow that is read as a whole', {}, {}, true],
    ['of another workflow', {}, { workflow: 'other' }, false],
    ['of Seine itself', {}, { type: 'workflow.paused' }, false],
    [
      'of Seine itself whose type is named',
      { types: ['workflow.paused'] },
      { type: 'workflow.paused' },
      true,
    ],
    ['of a type that is named', { types: ['x', 'added'] }, {}, true],
    ['of another type', { types: ['x'] }, {}, false],
    ['with one of the tags', { tags: ['even', 'x'] }, {}, true],
    ['without one of the tags', { tags: ['odd'] }, {}, false],
  ])('%s', (_, source, more, isMeant) => {
    const projection = defineProjection({ ...right, from: [{ workflow: counter(), ...source }] });
    expect(sourceOf(projection, { ...event, ...more }) !== null).toBe(isMeant);
  });

  it('and newer than the code only if it is meant', () => {
    const projection = defineProjection({ ...right, from: [{ workflow: counter(), types: ['added'] }] });
    expect(isNewer(projection, { ...event, schema: 2 })).toBe(true);
    expect(isNewer(projection, { ...event, schema: 1 })).toBe(false);
    expect(isNewer(projection, { ...event, schema: 2, type: 'other' })).toBe(false);
  });
});
