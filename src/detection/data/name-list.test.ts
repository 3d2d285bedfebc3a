import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CUE,
  EVERYDAY,
  FIRST_NAME,
  isName,
  isNameAt,
  kindOfWord,
  LAST_NAME,
  mayEndCue,
  PLACE,
} from './name-list.ts';

function kindOf(word: string): number {
  const bytes = Buffer.from(word);
  return kindOfWord(bytes, 0, bytes.length);
}

describe('the list of names', () => {
  it.each([
    ['Maria', FIRST_NAME],
    ['MARIA', FIRST_NAME],
    ['Müller', LAST_NAME],
    ['Muller', LAST_NAME],
    ['the', EVERYDAY],
    ['Chicago', PLACE],
    ['dear', CUE],
  ])('knows %s', (word, kind) => {
    expect(kindOf(word) & kind).toBe(kind);
  });

  it('supports words with several kinds', () => {
    expect(kindOf('Rose') & (FIRST_NAME | EVERYDAY)).toBe(FIRST_NAME | EVERYDAY);
  });

  it('reads only the given bytes', () => {
    expect(kindOfWord(Buffer.from('xxMariaxx'), 2, 7)).toBe(kindOf('Maria'));
  });

  it('distinguishes names from other words', () => {
    expect(isName(Buffer.from('Maria'), 0, 5)).toBe(true);
    expect(isName(Buffer.from('the'), 0, 3)).toBe(false);
    expect(isName(Buffer.from('Zqxw'), 0, 4)).toBe(false);
  });

  it.each(['Maria.', 'Maria Santos', "Maria' x", 'Maria- x', 'Müller,'])(
    'reads the word that begins %s up to its last letter',
    (text) => expect(isNameAt(Buffer.from(` ${text}`), 1)).toBe(true),
  );

  it('reads no more than a word', () => {
    expect(isNameAt(Buffer.from('Mariazqx '), 0)).toBe(false);
    expect(isNameAt(Buffer.from('Zq Maria '), 0)).toBe(false);
  });

  it('knows the endings of cues', () => {
    for (const cue of ['dear', 'Mr', 'by', 'née']) {
      const bytes = Buffer.from(`. ${cue} `);
      expect(mayEndCue(bytes, bytes.length - 1)).toBe(true);
    }
    expect(mayEndCue(Buffer.from(' xylophone '), 10)).toBe(false);
  });

  it('does not know what is no word', () => {
    const strange = Array.from({ length: 20_000 }, (_, n) => `Zq${n.toString(36)}xw`);
    expect(strange.filter((word) => kindOf(word) !== 0).length).toBeLessThan(10);
  });

  it('holds every line of its file', () => {
    const lines = readFileSync(join(import.meta.dirname, 'names.txt'), 'utf8')
      .trim()
      .split('\n');
    const wrong = lines
      .map((line) => line.split('\t'))
      .filter(([word, kind]) => kindOf(word!) !== Number(kind));
    expect(wrong.length).toBeLessThan(20);
  });
});
