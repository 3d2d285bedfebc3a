/** The whole catalogue on one text. */
import { catalogue } from '../../src/detection/catalogue.ts';
import { createScanner } from '../../src/detection/scanner.ts';
import type { Scanner } from '../../src/detection/spans.ts';

export interface Finding {
  readonly id: string;
  /** In bytes. */
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** What is reported unless a rule set says otherwise. */
export const USUAL = 0.5;
/** With this also what is only guessed: lone names, dates and web addresses outside of sentences. */
export const GUESSED = 0.3;

const scanners = new Map<number, Scanner>();

export function find(text: string | Uint8Array, min: number, field: string | null = null): Finding[] {
  const scanner = scanners.get(min) ?? createScanner(catalogue, { minConfidence: min });
  scanners.set(min, scanner);
  const findings: Finding[] = [];
  scanner.begin({ fieldAt: () => field }, (spans) => {
    for (let n = 0; n < spans.count; n++) {
      const id = catalogue[spans.detector[n]!]!.id;
      findings.push({ id, start: spans.start[n]!, end: spans.end[n]!, confidence: spans.confidence[n]! });
    }
  });
  scanner.push(typeof text === 'string' ? Buffer.from(text) : text);
  scanner.end();
  return findings;
}
