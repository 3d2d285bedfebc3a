import type { CustomRule } from '../detection/custom.ts';
import type { DetectorInfo } from './packs/packs.ts';

/** A small catalogue. */
export const DETECTOR_INFOS: readonly DetectorInfo[] = [
  { id: 'SSN', category: 'direct_identifier', regulations: ['hipaa', 'gdpr'] },
  { id: 'EMAIL', category: 'contact', regulations: ['gdpr', 'hipaa'] },
  { id: 'CREDIT_CARD', category: 'financial', regulations: ['pci', 'glba'] },
  { id: 'PHONE', category: 'contact', regulations: ['gdpr', 'hipaa'] },
];

export function customRule(change: Partial<CustomRule> = {}): CustomRule {
  return {
    id: 'EMPLOYEE',
    title: 'Employee number',
    category: 'quasi_identifier',
    regulations: [],
    risk: 4,
    pattern: 'EMP-\\d{6}',
    checks: [],
    context: { words: ['badge'] },
    labelled: false,
    confidence: 0.75,
    examples: { match: ['EMP-123456'], not: ['EMP-12'] },
    ...change,
  };
}
