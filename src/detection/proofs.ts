import type { Detector } from './detector.ts';
import { reasonsOf } from './reasons.ts';
import { createScanner } from './scanner.ts';

/** The kinds of evidence that a detector uses, derived from its own examples. */
export function proofsOf(detector: Detector): string[] {
  let bits = 0;
  const scanner = createScanner([detector], { minConfidence: 0 });
  for (const example of detector.examples.match) {
    const { text, field } = typeof example === 'string' ? { text: example } : example;
    scanner.begin({ fieldAt: () => field ?? null }, (spans) => {
      for (let n = 0; n < spans.count; n++) bits |= spans.reasons[n]!;
    });
    scanner.push(Buffer.from(text));
    scanner.end();
  }
  return reasonsOf(bits);
}
