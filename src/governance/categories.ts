import type { Category, Regulation } from '../detection/detector.ts';

/** All categories, at run time. A new one that is missing here does not compile. */
const CATEGORY: Readonly<Record<Category, true>> = {
  direct_identifier: true,
  contact: true,
  quasi_identifier: true,
  health_info: true,
  financial: true,
  credential: true,
  government: true,
};
const REGULATION: Readonly<Record<Regulation, true>> = {
  gdpr: true,
  ccpa: true,
  hipaa: true,
  pci: true,
  glba: true,
  ferpa: true,
  soc2: true,
  itar: true,
  cui: true,
};

export const CATEGORIES = Object.keys(CATEGORY) as Category[];
export const REGULATIONS = Object.keys(REGULATION) as Regulation[];
