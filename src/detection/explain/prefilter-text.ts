import type { Detector, PrefilterRule } from '../detector.ts';

/** The prefilter of the detector that matches the beginning of the text, formatted for display. */
export function prefilterText(detector: Detector, text: string): string {
  const prefilter = detector.prefilters.find((one) => beginsWith(one, text)) ?? detector.prefilters[0];
  return prefilter ? describePrefilter(prefilter) : '';
}

export function describePrefilter(prefilter: PrefilterRule): string {
  if ('assigned' in prefilter)
    return `a value assigned to a name that ends with ${prefilter.assigned.join(', ')}`;
  return prefilter.labelled ? `${prefilter.pattern} after one of its context words` : prefilter.pattern;
}

const SEPARATOR = /^[=:>]/;

/** Prefilter syntax is valid RegExp syntax too, and the text is short. */
function beginsWith(prefilter: PrefilterRule, text: string): boolean {
  if ('assigned' in prefilter) return SEPARATOR.test(text);
  const anyCase = prefilter.pattern.startsWith('(?i)');
  const pattern = anyCase ? prefilter.pattern.slice(4) : prefilter.pattern;
  return new RegExp(`^(?:${pattern})`, anyCase ? 'i' : '').test(text);
}
