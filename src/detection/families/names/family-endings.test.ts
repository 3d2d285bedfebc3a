import { describe, expect, it } from 'vitest';
import { endsLikeFamily } from './family-endings.ts';

function isFamily(word: string): boolean {
  const bytes = Buffer.from(word);
  return endsLikeFamily(bytes, 0, bytes.length);
}

describe('the suffix of a family name', () => {
  it.each([
    'Hallgrímsdóttir',
    'Ragnarsson',
    'Kristiansen',
    'Blagojević',
    'Brzezińska',
    'Vomáčková',
    'Stavropoulos',
    'Karjalainen',
  ])('is known of %s', (word) => {
    expect(isFamily(word)).toBe(true);
  });

  it.each(['Lesson', 'Person', 'Kitchen', 'Overview', 'Linen', 'Sson', 'Java'])(
    'is not that of %s',
    (word) => {
      expect(isFamily(word)).toBe(false);
    },
  );
});
