import { describe, expect, it } from 'vitest';
import { NameList, wholeName } from './whole-name.ts';

describe('a name', () => {
  it('is kept completely or not at all', () => {
    expect(wholeName('x'.repeat(1024))).toHaveLength(1024);
    expect(wholeName('x'.repeat(1025))).toBe('…');
  });

  it('is left out when a list has used up its room', () => {
    const names = new NameList();
    const kept = Array.from({ length: 200_000 }, (_, i) => names.keep(`${'x'.repeat(1000)}${i}`));
    expect(kept[0]).toBe(`${'x'.repeat(1000)}0`);
    expect(kept.at(-1)).toBe('…');
    expect(kept.reduce((sum, name) => sum + name.length, 0)).toBeLessThan(17 * 1024 * 1024);
    expect(names.keep('id')).toBe('id');
  });
});
