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

it('does not log short outages of the database, even repeated ones', () => {
  const { said, clock, complain } = listening();
  for (let n = 0; n < 5; n++) {
    complain(away);
    clock.now += 1000;
    complain(away);
    clock.now += 60_000;
  }
  expect(said).toEqual([]);
});

it('logs a longer outage of the database', () => {
  const { said, clock, complain } = listening();
  for (let n = 0; n < 4; n++) {
    complain(away);
    clock.now += 1000;
  }
  expect(said).toEqual(['The private database stopped. Waiting for it.']);
});

it('logs it once a minute, not with every poll', () => {
  const { said, clock, complain } = listening();
  for (let second = 0; second < 200; second++) {
    complain(away);
    clock.now += 1000;
  }
  expect(said).toHaveLength(4);
});

it('logs every other error at once', () => {
  const { said, complain } = listening();
  complain(new Error('no such queue'));
  expect(said).toEqual(['no such queue']);
});

it('knows the outage in a copy of its error, and in one that has it as its cause', () => {
  const { said, clock, complain } = listening();
  complain({ ...away, message: away.message, queue: 'plan', worker: 'one' });
  expect(said).toEqual([]);
  clock.now += 4000;
  complain({ message: away.message, cause: away });
  expect(said).toEqual(['The private database stopped. Waiting for it.']);
});
