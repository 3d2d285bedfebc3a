import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WakeSignal } from './wake-signal.ts';

it('a wait of months ends when it is notified, and not before', async () => {
  const signal = new WakeSignal();
  let woken = false;
  const waiting = signal.wait(1e12).then(() => {
    woken = true;
  });
  await sleep(20); // longer than the millisecond after which an overflowing timer fires
  expect(woken).toBe(false);
  signal.notifyAll();
  await waiting;
});
