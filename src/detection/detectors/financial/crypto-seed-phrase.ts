import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { isAlnum, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WORDS = new Set(wordlist);
/** Most first: a phrase of 24 may hold one of 12 by chance. */
const LENGTHS = [24, 21, 18, 15, 12];
/** The number of words adjacent to the phrase that may be in the list by chance. */
const STRAY = 3;

const MIN_WORDS = 12;

const MAX_WORDS = 24 + 4;

/** A word and what parts it from the next: a blank or two, a comma, the end of a line, the number of the next word. */
const NEXT = /^([a-z]{3,8})((?:[ ,]{1,2}|\r?\n)(?:\d{1,2}[.:)]? ?)?)?/;

const LABEL = /(?:phrase|words|mnemonic|seed)["'\])]{0,2} ?$/i;

const NUMBER = /^[\s"'=>]{0,4}(?:1[.:)]? ?)?/;

const MAX_STEP_LENGTH = 16;

interface Word {
  readonly text: string;
  readonly at: number;
}

export const cryptoSeedPhrase: Detector = {
  id: 'CRYPTO_SEED_PHRASE',
  title: 'Seed phrase of a crypto wallet (BIP-39)',
  category: 'credential',
  strength: 'checksum',
  regulations: ['soc2', 'glba'],
  risk: 10,
  prefilters: [
    { assigned: ['ase', 'eed', 'nic', 'rds'] },
    { pattern: String.raw`\b[a-z]{3,8}`, labelled: 'column' },
  ],
  confidence: 0.95,
  context: {
    words: [
      'seed phrase',
      'seed words',
      'seed',
      'mnemonic',
      'mnemonic phrase',
      'recovery phrase',
      'recovery words',
      'backup phrase',
      'secret phrase',
      'secret recovery phrase',
      'wallet phrase',
      'wallet seed',
      'passphrase',
    ],
  },
  verify(bytes, at, match) {
    const start = isAlnum(bytes[at]!) ? at : firstWord(bytes, at);
    if (start === -1 || isAlnum(bytes[start - 1]!)) return rejectMatch(match, 'label');
    const words = wordsFrom(bytes, start);
    if (words.length < MIN_WORDS) return rejectMatch(match, 'twelve words');
    const phrase = seedPhraseIn(words.map(({ text }) => text));
    if (phrase === null) return rejectMatch(match, 'checksum');
    const last = words[phrase.first + phrase.count - 1]!;
    return acceptMatch(
      match,
      words[phrase.first]!.at,
      last.at + last.text.length,
      REASON.checksum | REASON.structure,
    );
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      {
        text: `Recovery phrase:\n${['legal winner thank year wave sausage', 'worth useful legal winner thank yellow'].join(' ')}`,
        value: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
      },
      {
        text: ['Seed phrase: zoo zoo zoo zoo zoo zoo', 'zoo zoo zoo zoo zoo wrong'].join(' '),
        value: 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
      },
      {
        text: `mnemonic = "${['letter advice cage absurd amount doctor', 'acoustic avoid letter advice cage above'].join(' ')}"`,
        value: 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
      },
      {
        text: [
          'mnemonic: 1. legal 2. winner 3. thank 4. year 5. wave 6. sausage',
          '7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow',
        ].join(' '),
        value:
          'legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow',
      },
    ],
    not: [
      'legal winner thank year wave sausage worth useful legal winner thank year',
      'legal winner thank year wave sausage',
      'seed phrase: the quick brown fox jumps over the lazy dog and then some more',
      'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
      'the sausage was worth a wave of thanks',
    ],
  },
};

/** Skips the separator and the number of the first word: "seed phrase: 1. legal". -1: another name precedes it. */
function firstWord(bytes: Buffer, separator: number): number {
  if (!LABEL.test(textOf(bytes, separator - 40, separator))) return -1;
  return separator + 1 + NUMBER.exec(textOf(bytes, separator + 1, separator + MAX_STEP_LENGTH))![0].length;
}

function wordsFrom(bytes: Buffer, at: number): Word[] {
  const words: Word[] = [];
  for (let i = at; words.length < MAX_WORDS; ) {
    const step = NEXT.exec(textOf(bytes, i, i + MAX_STEP_LENGTH));
    if (step === null || !isSeedWord(step[1]!) || isAlnum(bytes[i + step[1]!.length]!)) break;
    words.push({ text: step[1]!, at: i });
    if (step[2] === undefined) break;
    i += step[0].length;
  }
  return words;
}

function isSeedWord(word: string): boolean {
  return WORDS.has(word);
}

/** BIP-39: which of these words, all in a row, are a phrase whose checksum is right. */
function seedPhraseIn(words: readonly string[]): { first: number; count: number } | null {
  for (const count of LENGTHS) {
    if (words.length < count || words.length > count + STRAY) continue;
    for (let first = 0; first + count <= words.length; first++) {
      const phrase = words.slice(first, first + count).join(' ');
      if (validateMnemonic(phrase, wordlist)) return { first, count };
    }
  }
  return null;
}
