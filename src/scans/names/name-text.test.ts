import { describe, expect, it } from 'vitest';
import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { isMaskedInNames, mayHoldValue } from './name-text.ts';

const detectors = detectorsOf(DEFAULT_RULES, catalogue).filter(isMaskedInNames);
const examples = detectors
  .flatMap(({ examples: { match } }) => match)
  .map((example) => (typeof example === 'string' ? example : example.text));

function holdsValue(text: string): boolean {
  let found = false;
  const scanner = createScanner(detectors);
  scanner.begin({ fieldAt: () => null }, ({ count, reported }) => {
    for (let i = 0; i < count; i++) found ||= reported[i] === 1;
  });
  scanner.push(Buffer.from(text));
  scanner.end();
  return found;
}

describe('the prefilter of names', () => {
  it('accepts the examples of all detectors', () => {
    const passedOver = examples.filter((text) => !mayHoldValue(Buffer.from(text)));
    expect(examples.length).toBeGreaterThan(1000);
    expect(passedOver.filter(holdsValue)).toEqual([]);
  });

  it('rejects names of words', () => {
    for (const name of ['', 'src/index.ts', 'John Smith.pdf', 'node_modules/pg/lib'])
      expect(mayHoldValue(Buffer.from(name))).toBe(false);
  });
});
