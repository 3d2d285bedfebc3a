import type { Detector, Example } from './detector.ts';
import { reasonsOf } from './reasons.ts';
import { createScanner } from './scanner.ts';
import type { Scanner } from './spans.ts';

export interface ExampleFailure {
  readonly what: string;
  readonly hint: string;
}

/** Returns null on success. A plain string must be found as a whole; with a `value`, exactly that must be found. */
export type ExampleCheck = (example: Example, matches: boolean) => ExampleFailure | null;

/** Returns null if the pattern can begin with anything, so that no prefilter can be built for it. */
export function compileExampleCheck(detector: Detector, minConfidence: number): ExampleCheck | null {
  try {
    const scanner = createScanner([detector], { minConfidence });
    return (example, matches) => checkExample(scanner, example, matches);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function checkExample(scanner: Scanner, example: Example, matches: boolean): ExampleFailure | null {
  const { text, field, value } = typeof example === 'string' ? { text: example } : example;
  const values = valuesIn(scanner, text, field ?? null);
  const wanted = value ?? text;
  if (!matches) {
    if (values.length === 0) return null;
    const what = `finds '${values[0]}' in '${text}', which it must not`;
    return { what, hint: 'narrow the pattern, or add a check' };
  }
  if (values.includes(wanted)) return null;
  const found = values.length === 0 ? 'finds nothing' : `finds '${values.join("', '")}'`;
  const hint =
    value === undefined && values.length > 0
      ? 'where the text holds more than the value, say { text: …, value: … }'
      : 'look at the pattern, the checks and the words it needs';
  return { what: `${found} in '${text}', where '${wanted}' must be found`, hint };
}

function valuesIn(scanner: Scanner, text: string, field: string | null): string[] {
  const values: string[] = [];
  scanner.begin({ fieldAt: () => field }, (spans) => {
    for (let n = 0; n < spans.count; n++) {
      const at = spans.at[n]!;
      const end = at + spans.length[n]!;
      if (spans.reported[n] === 1) values.push(Buffer.from(spans.window.subarray(at, end)).toString());
    }
  });
  scanner.push(Buffer.from(text));
  scanner.end();
  return values;
}

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
