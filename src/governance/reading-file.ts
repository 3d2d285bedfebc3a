import { didYouMean } from '../base/nearest.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../extraction/limits.ts';
import type { ReadingRules } from './rule-set.ts';
import type { YamlFile } from './yaml-file.ts';

/** More than these would let one object take a machine for itself. */
const MAX_LIMITS: Partial<ExtractionLimits> = { depth: 100, mailDepth: 200, documentMegabytes: 1024 * 1024 };

/** `reading:` of a rule file: OCR, and limits that differ from ours. */
export function parseReadingRules(file: YamlFile, node: unknown): ReadingRules {
  const { ocr, limits } = file.map(node, 'reading', ['ocr', 'limits']);
  return {
    ocr: ocr === undefined ? false : file.boolean(ocr, 'reading.ocr'),
    limits: limits === undefined ? {} : parseLimits(file, limits),
  };
}

function parseLimits(file: YamlFile, node: unknown): Partial<ExtractionLimits> {
  const limits: Partial<Record<keyof ExtractionLimits, number>> = {};
  for (const [key, value] of file.entries(node, 'reading.limits')) {
    const name = file.string(key, 'a limit');
    if (!isLimit(name))
      return file.fail(
        key,
        `there is no limit '${name}'`,
        didYouMean(name, Object.keys(DEFAULT_LIMITS), 'docs/guides/formats.md lists them'),
      );
    limits[name] = file.number(value, `the limit ${name}`, MAX_LIMITS[name] ?? Number.MAX_SAFE_INTEGER);
  }
  return limits;
}

function isLimit(name: string): name is keyof ExtractionLimits {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}
