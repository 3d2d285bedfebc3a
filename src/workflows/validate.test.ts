import { describe, expect, it } from 'vitest';
import type { Schema } from './define.ts';
import { validate } from './validate.ts';

type Answer = Awaited<ReturnType<Schema<number>['~standard']['validate']>>;

function schemaOf(answer: (value: unknown) => Answer | Promise<Answer>): Schema<number> {
  return { '~standard': { version: 1, vendor: 'test', validate: answer } };
}

const doubling = schemaOf((value) => ({ value: Number(value) * 2 }));
const refusing = schemaOf(() => ({
  issues: [{ message: 'Must be positive.', path: ['lines', { key: 0 }, 'count'] }, { message: 'Too long' }],
}));

describe('a value', () => {
  it('is what the validator makes of it, whether it answers at once or later', async () => {
    expect(await validate(doubling, '4', 'The number')).toBe(8);
    expect(
      await validate(
        schemaOf(async () => ({ value: 3 })),
        '4',
        'The number',
      ),
    ).toBe(3);
  });

  it('that is invalid is rejected in one sentence with every issue and its path', async () => {
    const sentence = 'The number is not what its schema says: lines.0.count: Must be positive; Too long.';
    await expect(validate(refusing, 4, 'The number')).rejects.toMatchObject({
      kind: 'usage',
      message: sentence,
    });
  });

  it('is refused with the issues that stand in the array, whatever an iterator of its own says', async () => {
    const more = () => Array.from({ length: 20_000 }, () => ({ message: 'more' })).values();
    const issues = Object.assign([{ message: 'too long' }], { [Symbol.iterator]: more });
    await expect(
      validate(
        schemaOf(() => ({ issues })),
        4,
        'The number',
      ),
    ).rejects.toThrow('The number is not what its schema says: too long.');
  });

  it('whose validator fails fails with its error', async () => {
    const broken = schemaOf(() => Promise.reject(new Error('no connection')));
    await expect(validate(broken, 4, 'The number')).rejects.toThrow('no connection');
  });
});
