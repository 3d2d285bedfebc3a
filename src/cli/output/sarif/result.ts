import { createHash } from 'node:crypto';
import { displayKey, keyBytes } from '../../../base/key.ts';
import type { Tier } from '../../../governance/tier.ts';
import type { Finding } from '../../../scans/results/finding.ts';
import { roundConfidence } from '../../../scans/results/finding-json.ts';
import { formatEmbeddedPath } from '../../../scans/results/finding-location.ts';
import { keyUri } from './uri.ts';

/** The `uriBaseId` that SARIF viewers use for the root of the scanned files. */
export const SOURCE_BASE = '%SRCROOT%';

const LEVELS: Readonly<Record<Tier, 'error' | 'warning' | 'note'>> = {
  MINIMAL: 'note',
  LOW: 'note',
  MEDIUM: 'warning',
  HIGH: 'error',
  CRITICAL: 'error',
};

export function resultOf(finding: Finding, ruleIndex: number): Record<string, unknown> {
  return {
    ruleId: finding.detector,
    ruleIndex,
    level: LEVELS[finding.tier],
    message: { text: messageOf(finding) },
    locations: [locationOf(finding)],
    partialFingerprints: { 'seineFingerprint/v1': stableFingerprint(finding) },
    properties: {
      tier: finding.tier,
      category: finding.category,
      confidence: roundConfidence(finding.confidence),
      masked: finding.masked,
      fingerprint: finding.fingerprint,
      field: finding.field,
      part: finding.part,
      reasons: finding.reasons,
    },
  };
}

function messageOf({ detector, masked, field, part, key }: Finding): string {
  const inField = field === null ? '' : ` in field "${field}"`;
  const inPart = part === null ? '' : `, part "${part}"`;
  return literal(`${detector} ${masked}${inField} of ${displayKey(key)}${inPart}.`);
}

/** Escapes brackets (links in SARIF messages) and braces (placeholders), which file names may contain. */
function literal(text: string): string {
  return text.replace(/[[\]]/g, '\\$&').replace(/[{}]/g, '$&$&');
}

function locationOf(finding: Finding): Record<string, unknown> {
  const physicalLocation = {
    artifactLocation: { uri: keyUri(finding.key), uriBaseId: SOURCE_BASE },
    region: regionOf(finding),
  };
  if (finding.part === null) return { physicalLocation };
  const fullyQualifiedName = `${displayKey(finding.key)}${formatEmbeddedPath(finding.part)}`;
  return { physicalLocation, logicalLocations: [{ name: finding.part, fullyQualifiedName, kind: 'member' }] };
}

/** No byte offsets for a decompressed part: they are not offsets of the object, and a viewer would open the wrong place. */
function regionOf({ part, line, column, start, end }: Finding): Record<string, number> {
  const place = { startLine: Math.max(1, line), startColumn: Math.max(1, column) };
  return part === null ? { ...place, byteOffset: start, byteLength: end - start } : place;
}

/** Identifies value and object but not the line, so that a closed alert stays closed when lines are added above it. */
function stableFingerprint({ fingerprint, key }: Finding): string {
  return createHash('sha256')
    .update(fingerprint)
    .update('\0')
    .update(keyBytes(key))
    .digest('hex')
    .slice(0, 32);
}
