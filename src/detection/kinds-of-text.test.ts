import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner(catalogue, { minConfidence: 0.3 });

function sure(text: string, format: string, field: string | null = null): number | undefined {
  return scanText(scanner, text, { context: { fieldAt: () => field, format } })[0]?.confidence;
}

describe('the format of a text', () => {
  it('lowers the confidence in source code for values without other evidence', () => {
    const plain = sure('x (415) 867-5309 y', 'text')!;
    expect(sure('x (415) 867-5309 y', 'code')).toBeCloseTo(plain - 0.05);
    expect(sure('x (415) 867-5309 y', 'csv')).toBe(plain);
  });

  it('has no effect on values with context, a proof or a distinctive form', () => {
    for (const text of ['phone: (415) 867-5309', 'x 4539 1488 0343 6467 y', 'jane.doe@acme.example'])
      expect(sure(text, 'code')).toBe(sure(text, 'text'));
    expect(sure('x (415) 867-5309 y', 'code', 'phone')).toBe(sure('x (415) 867-5309 y', 'text', 'phone'));
  });

  it('applies to the current text only', () => {
    const before = sure('x (415) 867-5309 y', 'text');
    sure('x (415) 867-5309 y', 'code');
    expect(sure('x (415) 867-5309 y', 'text')).toBe(before);
  });
});
