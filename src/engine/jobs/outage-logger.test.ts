import { expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { createOutageLogger } from './outage-logger.ts';

function listening() {
  const said: string[] = [];
  const clock = { now: 1000 };
  const complain = createOutageLogger(
    (message) => said.push(message),
    () => clock.now,
  );
  return { said, clock, complain };
}

const away = new SeineError('unavailable', 'The private database stopped.');

it('says nothing of a database that is away for a moment, again and again', () => {
  const { said, clock, complain } = listening();
  for (let n = 0; n < 5; n++) {
    complain(away);
    clock.now += 1000;
    complain(away);
    clock.now += 60_000;
  }
  expect(said).toEqual([]);
});

it('says that the database stays away', () => {
  const { said, clock, complain } = listening();
  for (let n = 0; n < 4; n++) {
    complain(away);
    clock.now += 1000;
  }
  expect(said).toEqual(['The private database stopped. Waiting for it.']);
});

it('says so once a minute, not with every look', () => {
  const { said, clock, complain } = listening();
  for (let second = 0; second < 200; second++) {
    complain(away);
    clock.now += 1000;
  }
  expect(said).toHaveLength(4);
});

it('says every other error at once', () => {
  const { said, complain } = listening();
  complain(new Error('no such queue'));
  expect(said).toEqual(['no such queue']);
});

it('knows the outage in the copy of an error that pg-boss emits', () => {
  const { said, clock, complain } = listening();
  complain({ ...away, message: away.message, queue: 'plan', worker: 'one' });
  expect(said).toEqual([]);
  clock.now += 4000;
  complain({ message: away.message, cause: away });
  expect(said).toEqual(['The private database stopped. Waiting for it.']);
});
