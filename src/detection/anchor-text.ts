import type { Anchor, Detector } from './detector.ts';

/** Which of a detector's anchors the text begins with, in words for a person. */
export function anchorText(detector: Detector, text: string): string {
  const anchor = detector.anchors.find((one) => beginsWith(one, text)) ?? detector.anchors[0];
  return anchor ? describeAnchor(anchor) : '';
}

export function describeAnchor(anchor: Anchor): string {
  if ('assigned' in anchor) return `a value assigned to a name that ends with ${anchor.assigned.join(', ')}`;
  return anchor.labelled ? `${anchor.pattern} behind one of its words` : anchor.pattern;
}

const SEPARATOR = /^[=:>]/;

/** The syntax of anchors is one of expressions too, and the text is short. */
function beginsWith(anchor: Anchor, text: string): boolean {
  if ('assigned' in anchor) return SEPARATOR.test(text);
  const anyCase = anchor.pattern.startsWith('(?i)');
  const pattern = anyCase ? anchor.pattern.slice(4) : anchor.pattern;
  return new RegExp(`^(?:${pattern})`, anyCase ? 'i' : '').test(text);
}
