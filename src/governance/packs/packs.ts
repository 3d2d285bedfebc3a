/**
 * Named selections of detectors. A pack selects by properties of the detectors, their category and
 * regulations, so that new detectors are included automatically; ids are only listed where that is not
 * sufficient.
 */
import type { Category, Detector, Regulation } from '../../detection/detector.ts';

export interface Pack {
  readonly name: string;
  readonly title: string;
  readonly categories?: readonly Category[];
  readonly regulations?: readonly Regulation[];
  readonly detectors?: readonly string[];
  readonly without?: readonly string[];
}

/** The properties of a detector that packs use. */
export type DetectorInfo = Pick<Detector, 'id' | 'category' | 'regulations'>;

export const PACKS: readonly Pack[] = [
  {
    name: 'pii',
    title: 'Identity and contact data of persons',
    categories: ['direct_identifier', 'quasi_identifier', 'contact'],
  },
  {
    name: 'pci',
    title: 'Payment cards: numbers, expiry dates, security codes, magnetic stripes',
    regulations: ['pci'],
    detectors: ['CREDIT_CARD'],
  },
  {
    name: 'phi',
    title: 'Health data and identifiers of persons',
    categories: ['health_info'],
    detectors: ['SSN', 'NAME', 'DATE_DOB', 'EMAIL', 'PHONE', 'ADDRESS', 'MRN', 'NHS_NUMBER'],
  },
  {
    name: 'secrets',
    title: 'Passwords, keys and tokens',
    categories: ['credential'],
  },
  { name: 'gdpr', title: 'Personal data under the GDPR', regulations: ['gdpr'] },
  { name: 'ccpa', title: 'Personal information under CCPA and CPRA', regulations: ['ccpa'] },
  { name: 'glba', title: 'Customers’ financial information under GLBA', regulations: ['glba'] },
  { name: 'ferpa', title: 'Education records under FERPA', regulations: ['ferpa'] },
  { name: 'hipaa', title: 'Identifiers and health data under HIPAA', regulations: ['hipaa'] },
  {
    name: 'soc2',
    title: 'Confidential data as in SOC 2: credentials and personal identifiers',
    categories: ['credential', 'direct_identifier'],
    regulations: ['soc2'],
  },
];

export const PACK_NAMES: readonly string[] = PACKS.map(({ name }) => name);

export function findPack(name: string): Pack | null {
  return PACKS.find((pack) => pack.name === name.toLowerCase()) ?? null;
}

export function inPack(pack: Pack, detector: DetectorInfo): boolean {
  const { categories = [], regulations = [], detectors = [], without = [] } = pack;
  if (without.includes(detector.id)) return false;
  if (detectors.includes(detector.id) || categories.includes(detector.category)) return true;
  return detector.regulations.some((regulation) => regulations.includes(regulation));
}

/** The names of the packs that include it. */
export function packsWith(detector: DetectorInfo): string[] {
  return PACKS.filter((pack) => inPack(pack, detector)).map(({ name }) => name);
}

/** The ids of all detectors in any of the packs, in the catalogue's order. */
export function idsOfPacks(packs: readonly Pack[], catalogue: readonly DetectorInfo[]): string[] {
  return catalogue.filter((each) => packs.some((pack) => inPack(pack, each))).map(({ id }) => id);
}
