import { displayKey, type Key, keyBytes } from '../../base/key.ts';
import { EXAMPLE, REASON, reasonsOf } from '../../detection/reasons.ts';
import type { Mark } from './confidence-histogram.ts';
import type { Finding } from './finding.ts';

export const SCHEMA_VERSION = 1;

const EXAMPLES = reasonsOf(EXAMPLE);
const AUTHORS = reasonsOf(REASON.authorship);

/** The JSON form of a finding. Within a schema version fields are added, never renamed. */
export function findingJson(finding: Finding): Record<string, unknown> {
  return {
    schemaVersion: SCHEMA_VERSION,
    scan: finding.scan,
    source: finding.source,
    ...keyJson(finding.key),
    part: finding.part,
    detector: finding.detector,
    category: finding.category,
    field: finding.field,
    start: finding.start,
    end: finding.end,
    line: finding.line,
    column: finding.column,
    confidence: roundConfidence(finding.confidence),
    tier: finding.tier,
    masked: finding.masked,
    fingerprint: finding.fingerprint,
    reasons: finding.reasons,
    context: contextOf(finding.reasons),
    baseConfidence: finding.features?.base ?? null,
    entropy: finding.features?.entropy ?? null,
    contested: finding.features?.contested ?? [],
    handle: finding.handle,
  };
}

/** Whose data it is, where that lowers its weight. */
function contextOf(reasons: readonly string[]): Mark | null {
  if (EXAMPLES.some((reason) => reasons.includes(reason))) return 'example';
  return AUTHORS.some((reason) => reasons.includes(reason)) ? 'authorship' : null;
}

/**
 * `key` is the name itself, unless there is a `keyHex`: then `key` is its display form and `keyHex` its
 * bytes. For a name with a value these are the stored bytes, in which the name is encrypted.
 */
export function keyJson(key: Key): { key: string; keyHex?: string } {
  const shown = displayKey(key);
  const bytes = keyBytes(key);
  return bytes.equals(Buffer.from(shown, 'utf8'))
    ? { key: shown }
    : { key: shown, keyHex: bytes.toString('hex') };
}

/** Confidences are stored as 32-bit floats; 0.9 must not be written as 0.8999999761581421. */
export function roundConfidence(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
