import { didYouMean } from '../base/nearest.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../extraction/budget/limits.ts';
import type { ReadingRules } from './rule-set.ts';
import type { YamlFile } from './yaml-file.ts';

/** Upper bounds: above these, one object could take all resources of a machine. */
const MAX_LIMITS: Partial<ExtractionLimits> = { depth: 100, mailDepth: 200, documentMegabytes: 1024 * 1024 };

/** Parses `reading:` of a rule file: OCR, and limits that differ from the defaults. */
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
        `unknown limit '${name}'`,
        didYouMean(name, Object.keys(DEFAULT_LIMITS), 'docs/guides/formats.md lists them'),
      );
    limits[name] = file.number(value, `the limit ${name}`, MAX_LIMITS[name] ?? Number.MAX_SAFE_INTEGER);
  }
  return limits;
}

function isLimit(name: string): name is keyof ExtractionLimits {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}
