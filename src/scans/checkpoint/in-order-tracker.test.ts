import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InOrderTracker } from './in-order-tracker.ts';

describe('a tracker', () => {
  it('returns nothing while the first item is unfinished', () => {
    const tracker = new InOrderTracker<string, number>();
    tracker.add('a');
    const b = tracker.add('b');
    tracker.finish(b, 2);
    expect(tracker.takeFinished()).toEqual([]);
  });

  it('returns every item once, in order, whatever the order of finishing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (choices) => {
        const tracker = new InOrderTracker<number, number>();
        const open: number[] = [];
        const taken: number[] = [];
        let added = 0;
        for (const choice of choices) {
          if (choice < 5) open.push(tracker.add(added++));
          else if (open.length > 0) tracker.finish(open.splice(choice % open.length, 1)[0]!, 1);
          taken.push(...tracker.takeFinished().map((done) => done.item));
        }
        for (const position of open) tracker.finish(position, 1);
        taken.push(...tracker.takeFinished().map((done) => done.item));
        expect(taken).toEqual(Array.from({ length: added }, (_, i) => i));
        expect(tracker.unfinished).toBe(0);
      }),
    );
  });
});
