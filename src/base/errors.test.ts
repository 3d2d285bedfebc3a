import { expect, it } from 'vitest';
import { messageOf } from './errors.ts';

it.each([
  [new Error('broken'), 'broken'],
  [{ message: 'lost', queue: 'plan' }, 'lost'],
  ['words', 'words'],
  [undefined, 'undefined'],
  [null, 'null'],
])('the message of %o is %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
