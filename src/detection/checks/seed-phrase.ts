import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const WORDS = new Set(wordlist);
/** Most first: a phrase of 24 may hold one of 12 by chance. */
const LENGTHS = [24, 21, 18, 15, 12];
/** The number of words adjacent to the phrase that may be in the list by chance. */
const STRAY = 3;

export function isSeedWord(word: string): boolean {
  return WORDS.has(word);
}

/** BIP-39: which of these words, all in a row, are a phrase whose checksum is right. */
export function seedPhraseIn(words: readonly string[]): { first: number; count: number } | null {
  for (const count of LENGTHS) {
    if (words.length < count || words.length > count + STRAY) continue;
    for (let first = 0; first + count <= words.length; first++) {
      const phrase = words.slice(first, first + count).join(' ');
      if (validateMnemonic(phrase, wordlist)) return { first, count };
    }
  }
  return null;
}
