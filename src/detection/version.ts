/**
 * Part of the inventory's key: an object scanned with another version is scanned again. Raise it by hand whenever the
 * same bytes may give other findings: a new detector, a changed check, weight, context word or overlap rule.
 */
export const DETECTION_VERSION = 5;
