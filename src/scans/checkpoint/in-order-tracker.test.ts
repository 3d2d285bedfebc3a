import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InOrderTracker } from './in-order-tracker.ts';

describe('a prefix', () => {
  it('gives back nothing while the first thing is unfinished', () => {
    const prefix = new InOrderTracker<string, number>();
    prefix.add('a');
    const b = prefix.add('b');
    prefix.finish(b, 2);
    expect(prefix.takeFinished()).toEqual([]);
  });

  it('gives everything back once, in order, whatever the order of finishing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (choices) => {
        const prefix = new InOrderTracker<number, number>();
        const open: number[] = [];
        const taken: number[] = [];
        let added = 0;
        for (const choice of choices) {
          if (choice < 5) open.push(prefix.add(added++));
          else if (open.length > 0) prefix.finish(open.splice(choice % open.length, 1)[0]!, 1);
          taken.push(...prefix.takeFinished().map((done) => done.item));
        }
        for (const place of open) prefix.finish(place, 1);
        taken.push(...prefix.takeFinished().map((done) => done.item));
        expect(taken).toEqual(Array.from({ length: added }, (_, i) => i));
        expect(prefix.unfinished).toBe(0);
      }),
    );
  });
});
