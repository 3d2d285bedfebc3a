/**
 * Part of the inventory's key: an object that did not change is read again when this number did. Raise it whenever
 * the same bytes may give other parts, other text or another reading.
 */
export const EXTRACTION_VERSION = 8;
