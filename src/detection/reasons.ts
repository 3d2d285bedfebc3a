/** The evidence for or against a finding, one bit each, so that a span stores them in one number. */
export const REASON = {
  pattern: 1 << 0,
  checksum: 1 << 1,
  issuer: 1 << 2,
  structure: 1 << 3,
  contextWord: 1 << 4,
  fieldName: 1 << 5,
  entropy: 1 << 6,
  assignment: 1 << 7,
  testValue: 1 << 8,
  documentationRange: 1 << 9,
  privateRange: 1 << 10,
  otherMeaning: 1 << 11,
  authorship: 1 << 12,
} as const;

/** Proof: a checksum, an issuer's prefix or a decoded structure. */
export const PROOF = REASON.checksum | REASON.issuer | REASON.structure;

/** No person has it: a documented test value, an address reserved for examples. */
export const EXAMPLE = REASON.testValue | REASON.documentationRange;

const TEXT: readonly (readonly [number, string])[] = [
  [REASON.pattern, 'pattern'],
  [REASON.checksum, 'checksum'],
  [REASON.issuer, 'issuer prefix'],
  [REASON.structure, 'structure'],
  [REASON.contextWord, 'context word'],
  [REASON.fieldName, 'field name'],
  [REASON.entropy, 'entropy'],
  [REASON.assignment, 'assigned to a secret name'],
  [REASON.testValue, 'test value'],
  [REASON.documentationRange, 'documentation range'],
  [REASON.privateRange, 'private range'],
  [REASON.otherMeaning, 'other meaning likely'],
  [REASON.authorship, 'authorship'],
];

export function reasonsOf(bits: number): string[] {
  return TEXT.filter(([bit]) => (bits & bit) !== 0).map(([, text]) => text);
}
