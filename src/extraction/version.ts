/**
 * Part of the inventory's key: unchanged objects are read again when this number changes. Must be raised whenever the same bytes may give
 * other parts, other text or another result. Otherwise unchanged objects would keep outdated results.
 */
export const EXTRACTION_VERSION = 8;
