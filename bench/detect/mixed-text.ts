/** One file of everything text can be, in blocks of one kind each; the same for the same seed. Some lines hold a value. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Random } from '../../examples/generator/random.ts';
import { KINDS, type Kind } from '../corpus/lines.ts';
import { plantedSentence } from '../corpus/planted.ts';
import { WORDS } from '../corpus/words.ts';

export interface MixedText {
  readonly path: string;
  readonly bytes: number;
  /** Values planted in it. */
  readonly planted: number;
}

export interface MixedPlan {
  readonly bytes: number;
  readonly seed: number;
  /** How many of the lines hold a value. */
  readonly plantedRate: number;
}

const BLOCK = 64 * 1024;

export function makeMixedText(path: string, plan: MixedPlan): MixedText {
  const random = new Random(plan.seed, `mixed text ${plan.plantedRate}`);
  const file = openSync(path, 'w');
  let [bytes, planted] = [0, 0];
  while (bytes < plan.bytes) {
    const kind = pickKind(random);
    let text = kind.head;
    while (text.length < BLOCK) {
      const holds = random.chance(plan.plantedRate);
      if (holds) planted++;
      text += `${holds ? kind.holding(plantedSentence(random), random) : kind.line(random)}\n`;
    }
    bytes += writeSync(file, text);
  }
  closeSync(file);
  return { path, bytes, planted };
}

type Lines = Pick<Kind, 'head' | 'line' | 'holding'>;

function pickKind(random: Random): Lines {
  let rest = random.next() * SHARES.reduce((sum, [, share]) => sum + share, 0);
  for (const [kind, share] of SHARES) {
    if (rest < share) return kind;
    rest -= share;
  }
  return SHARES[0]![0];
}

function known(extension: string): Lines {
  return KINDS.find((kind) => kind.extension === extension)!;
}

const FOREIGN =
  'café naïve Zürich São-Paulo größe résumé Łódź données Überweisung señal 日本語 東京都 данные договор Ελλάδα שלום 😀 — “quoted” €12,50'.split(
    ' ',
  );

const foreign: Lines = {
  head: '',
  line: (r) => r.times(14, () => r.pick(r.chance(0.4) ? FOREIGN : WORDS)).join(' '),
  holding: (text, r) => `${r.pick(FOREIGN)} ${r.pick(FOREIGN)}: ${text}`,
};

const base64: Lines = {
  head: '',
  line: (r) => bytesOf(r, 57).toString('base64'),
  holding: (text) => text,
};

const minified: Lines = {
  head: '',
  line: (r) => r.times(20, () => statement(r)).join(''),
  holding: (text, r) => `${statement(r)}console.log(${JSON.stringify(text)});${statement(r)}`,
};

const hashes: Lines = {
  head: '',
  line: (r) =>
    `${bytesOf(r, r.pick([16, 20, 32])).toString('hex')}  ${r.pick(WORDS)}/${r.pick(WORDS)}-${r.int(1, 99)}.tar`,
  holding: (text, r) => `${bytesOf(r, 32).toString('hex')}  ${text}`,
};

/** What of the text is of which kind, in per cent. */
const SHARES: readonly (readonly [Lines, number])[] = [
  [known('log'), 18],
  [known('access.log'), 12],
  [known('md'), 12],
  [known('ndjson'), 14],
  [known('csv'), 10],
  [known('ts'), 9],
  [known('yaml'), 3],
  [foreign, 6],
  [base64, 7],
  [minified, 7],
  [hashes, 2],
];

function statement(r: Random): string {
  const [a, b, c] = [shortName(r), shortName(r), shortName(r)];
  return r.pick([
    `var ${a}=${b}(${c}),${shortName(r)}=${r.int(0, 4096)};`,
    `function ${a}(${b},${c}){return ${b}.${r.pick(WORDS)}?${c}[${r.int(0, 40)}]:null}`,
    `if(!${a}||${b}>=${r.int(1, 99)})throw Error("${r.pick(WORDS)} ${r.pick(WORDS)}");`,
    `${a}.${r.pick(WORDS)}={${r.pick(WORDS)}:${r.int(0, 900)},${r.pick(WORDS)}:!0,${b}:"#${bytesOf(r, 3).toString('hex')}"};`,
  ]);
}

function shortName(r: Random): string {
  return String.fromCharCode(r.int(97, 122)) + (r.chance(0.5) ? '' : String.fromCharCode(r.int(97, 122)));
}

function bytesOf(r: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length + 3);
  for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(Math.floor(r.next() * 2 ** 32), at);
  return bytes.subarray(0, length);
}
