/** What reviewers decided about findings in public trees. The file holds fingerprints, no values. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `true`: the data of a person or an organization, or a secret. `authorship`: a real author in a notice or a changelog. `example`: the
 * right kind, but a placeholder of documentation or of a test. `false`: not of that kind.
 */
export const VERDICTS = ['true', 'authorship', 'example', 'false'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Judged {
  readonly fingerprint: string;
  readonly kind: string;
  readonly detector: string;
  readonly verdict: Verdict;
  /** Why, without the value. */
  readonly note: string;
}

const FILE = join(import.meta.dirname, '..', 'verdicts.jsonl');

export function readVerdicts(): Map<string, Judged> {
  const judged: Judged[] = linesOf(readFileSync(FILE, 'utf8')).map((line) => JSON.parse(line));
  return new Map(judged.map((one) => [one.fingerprint, one]));
}

/** Adds the judged lines of a review to the file; a finding that is judged again gets the new verdict. */
export function mergeVerdicts(reviewFile: string): { readonly added: number; readonly skipped: number } {
  const verdicts = readVerdicts();
  const lines = linesOf(readFileSync(reviewFile, 'utf8')).map((line) => JSON.parse(line));
  const judged = lines.filter(({ verdict }) => VERDICTS.includes(verdict));
  for (const { fingerprint, kind, detector, verdict, note = '', value } of judged) {
    if (value !== undefined && value.length > 3 && note.includes(value))
      throw new Error(`The note of ${fingerprint} contains the value; notes describe it.`);
    verdicts.set(fingerprint, { fingerprint, kind, detector, verdict, note });
  }
  const sorted = [...verdicts.values()].sort(
    (a, b) => compare(a.detector, b.detector) || compare(a.fingerprint, b.fingerprint),
  );
  writeFileSync(FILE, sorted.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return { added: judged.length, skipped: lines.length - judged.length };
}

/** Other lines of the output of a benchmark are passed over. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('{'));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
