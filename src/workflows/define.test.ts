import { describe, expect, it } from 'vitest';
import { type Definition, defineWorkflow } from './define.ts';
import type { Typed } from './typed.ts';

const right: Definition<null, Typed, Typed> = {
  name: 'order',
  initial: () => null,
  decide: () => [],
  evolve: () => null,
};
const run = async () => null;
const schema = (timeout: unknown) => ({ schema: { timeout } });

describe('a definition of a workflow', () => {
  it.each<[string, object]>([
    [`The action order/charge has the timeout '5s'`, { actions: { charge: { run, timeout: '5s' } } }],
    ['as attempts, not 0', { actions: { charge: { run, attempts: 0 } } }],
    ['The workflow order has the schema.timeout {"second":1}', schema({ second: 1 })],
    ['a schema.timeout greater than 0', schema(0)],
    ['at least 1 as snapshotEvery, not 0', { snapshotEvery: 0 }],
    ['as snapshotEvery, not NaN', { snapshotEvery: Number.NaN }],
  ])('is refused where it is written, not where it is used: %s', (sentence, wrong) => {
    expect(() => defineWorkflow({ ...right, ...wrong })).toThrow(sentence);
  });
});
