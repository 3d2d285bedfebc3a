/**
 * Part of the inventory's key: objects scanned with another version are scanned again. Must be raised whenever the same bytes may give
 * other findings: a new detector, a changed check, weight, context word or overlap rule. Otherwise unchanged objects would keep outdated
 * findings.
 */
export const DETECTION_VERSION = 6;
