import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WakeSignal } from './wake-signal.ts';

it('who waits for months is woken by news, and not before', async () => {
  const bell = new WakeSignal();
  let woken = false;
  const waiting = bell.wait(1e12).then(() => {
    woken = true;
  });
  await sleep(20); // longer than the millisecond that a timer of so much would take
  expect(woken).toBe(false);
  bell.notifyAll();
  await waiting;
});
