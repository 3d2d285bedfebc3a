import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prefix } from './prefix.ts';

describe('a prefix', () => {
  it('gives back nothing while the first thing is unfinished', () => {
    const prefix = new Prefix<string, number>();
    prefix.add('a');
    const b = prefix.add('b');
    prefix.close(b, 2);
    expect(prefix.take()).toEqual([]);
  });

  it('gives everything back once, in order, whatever the order of finishing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (choices) => {
        const prefix = new Prefix<number, number>();
        const open: number[] = [];
        const taken: number[] = [];
        let added = 0;
        for (const choice of choices) {
          if (choice < 5) open.push(prefix.add(added++));
          else if (open.length > 0) prefix.close(open.splice(choice % open.length, 1)[0]!, 1);
          taken.push(...prefix.take().map((done) => done.item));
        }
        for (const place of open) prefix.close(place, 1);
        taken.push(...prefix.take().map((done) => done.item));
        expect(taken).toEqual(Array.from({ length: added }, (_, i) => i));
        expect(prefix.unfinished).toBe(0);
      }),
    );
  });
});
