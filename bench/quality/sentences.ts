/** Sentences in which people marked what is sensitive: found, missed, invented, by type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../benchmark.ts';
import { table } from '../figures.ts';
import { find, GUESSED, USUAL } from './find.ts';
import {
  addScores,
  f1,
  type Labelled,
  SCORE_HEADS,
  type Scores,
  scoreOf,
  scoreRow,
  shown,
  total,
} from './score.ts';

interface Sentence {
  readonly full_text: string;
  readonly spans: readonly {
    readonly entity_type: string;
    readonly start_position: number;
    readonly end_position: number;
  }[];
}

/** The corpus's names for our types. A date of birth is a date, a maiden name a person's name. */
const TYPES: Readonly<Record<string, string>> = {
  CREDIT_CARD: 'CREDIT_CARD',
  SSN: 'US_SSN',
  IBAN: 'IBAN_CODE',
  EMAIL: 'EMAIL_ADDRESS',
  PHONE: 'PHONE_NUMBER',
  IP_ADDRESS: 'IP_ADDRESS',
  URL: 'DOMAIN_NAME',
  POSTAL_CODE: 'ZIP_CODE',
  AGE: 'AGE',
  DRIVER_LICENSE: 'US_DRIVER_LICENSE',
  US_DRIVER_LICENSE: 'US_DRIVER_LICENSE',
  DATE_TIME: 'DATE_TIME',
  DATE_DOB: 'DATE_TIME',
  NAME: 'PERSON',
  MAIDEN_NAME: 'PERSON',
  ADDRESS: 'STREET_ADDRESS',
  ORGANIZATION: 'ORGANIZATION',
};
const STRUCTURED = [
  ...['CREDIT_CARD', 'US_SSN', 'IBAN_CODE', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'IP_ADDRESS', 'DOMAIN_NAME'],
  ...['ZIP_CODE', 'AGE'],
];
const MAPPED = [...STRUCTURED, 'US_DRIVER_LICENSE', 'DATE_TIME', 'PERSON', 'STREET_ADDRESS', 'ORGANIZATION'];
const ASKED = { structured: 0.95, mapped: 0.75 };

export function scoreSentences(bench: Bench, folder: string): void {
  const sentences: readonly Sentence[] = JSON.parse(readFileSync(join(folder, 'sentences.json'), 'utf8'));
  bench.log(`  sentences.json: ${sentences.length} sentences; a span counts from an overlap (IoU) of 0.5 on`);
  for (const min of [GUESSED, USUAL]) {
    const scores = scoresOf(sentences, min);
    const rows = MAPPED.map((type) => scoreRow(type.toLowerCase(), scoreOf(scores, type)));
    const nine = total(scores, STRUCTURED);
    const all = total(scores, MAPPED);
    bench.log(`\n  confidence from ${min} on${min === USUAL ? ' (reported by default)' : ' (with guesses)'}`);
    bench.log(
      table([
        ['', ...SCORE_HEADS],
        ...rows,
        scoreRow('nine structured, micro', nine),
        scoreRow('all fourteen, micro', all),
      ]),
    );
    bench.log(`  ${verdict('nine structured', f1(nine), ASKED.structured)}`);
    bench.log(`  ${verdict('all fourteen', f1(all), ASKED.mapped)}`);
  }
  bench.log(
    '  structured: card, SSN, IBAN, e-mail, phone, IP, web address, postal code, age; the others of the fourteen',
  );
  bench.log(
    '  are driver licence, date, person, address, organisation. Not detected: towns, titles, nationalities in prose.',
  );
}

function scoresOf(sentences: readonly Sentence[], min: number): Scores {
  const scores: Scores = new Map();
  for (const { full_text, spans } of sentences) {
    const truth = spans
      .map((span) => ({ type: span.entity_type, start: span.start_position, end: span.end_position }))
      .filter(({ type }) => MAPPED.includes(type));
    addScores(scores, truth, foundIn(full_text, min));
  }
  return scores;
}

/** Offsets as the corpus counts them: in characters. */
function foundIn(text: string, min: number): Labelled[] {
  const bytes = Buffer.from(text);
  const characters = (to: number) => [...bytes.toString('utf8', 0, to)].length;
  return find(bytes, min).flatMap(({ id, start, end }) => {
    const type = TYPES[id];
    return type === undefined ? [] : [{ type, start: characters(start), end: characters(end) }];
  });
}

function verdict(what: string, measured: number, min: number): string {
  const reached = measured >= min ? 'reached' : 'FALLS SHORT';
  return `${what}: asked for F1 of at least ${min}, measured ${shown(measured)}: ${reached}`;
}
