import { describe, expect, it } from 'vitest';
import { errorGroupKey } from './error-group-key.ts';

describe('the signature of a reason', () => {
  it.each([
    ['crashed detection: out of memory at 0x7ffe12ab34', 'crashed detection: out of memory at 0x7ffe12ab34'],
    ['/srv/share/hr/a b.csv could not be read: EIO', '… b.csv could not be read: EIO'],
    ['took 61234 ms, limit 60000 ms', 'took # ms, limit # ms'],
    ['"report 7.pdf" is broken', '… is broken'],
    ['s3://bucket/a/b.txt answered 503', '… answered #'],
    ['request 4f2a9c1be07d failed', 'request # failed'],
  ])('%j gives %j', (reason, signature) => {
    expect(errorGroupKey(reason)).toBe(signature);
  });

  it('is the same for two objects that failed alike', () => {
    const of = (name: string) => errorGroupKey(`/data/${name}.csv could not be read: EIO, read`);
    expect(of('a1')).toBe(of('b-22'));
  });

  it('is never longer than a line', () => {
    expect(errorGroupKey('x '.repeat(1000)).length).toBeLessThanOrEqual(200);
  });
});
