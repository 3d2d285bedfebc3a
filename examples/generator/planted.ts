/** What was planted where, without the values: the yardstick of the end-to-end tests. */
import type { DetectorId, ShareFile } from './share.ts';

export interface PlantedEntry {
  readonly path: string;
  readonly detector: DetectorId;
  readonly description: string;
  /** Occurrences, not distinct values: an address that occurs twice in a file counts twice. */
  readonly count: number;
}

const DESCRIPTIONS: Readonly<Record<DetectorId, string>> = {
  SSN: 'social security numbers in never-issued areas',
  CREDIT_CARD: 'card numbers that pass Luhn, with sandbox prefixes',
  EMAIL: 'mail addresses in reserved domains',
  PHONE: 'phone numbers kept for fiction',
  IP_ADDRESS: 'private and documentation addresses',
  IBAN: 'account numbers of banks that do not exist, with valid check digits',
  ABA_ROUTING: 'routing numbers with a valid check digit',
  DATE_DOB: 'dates of birth, labelled',
  PASSPORT: 'passport numbers, labelled',
  DRIVER_LICENSE: "driver's licence numbers, labelled",
  NAME: 'names of invented people in a labelled place',
  ADDRESS: 'street addresses',
  MRN: 'medical record numbers, labelled',
  NPI: 'provider numbers with a valid check digit',
  DEA: 'prescriber registrations with a valid check digit',
  MEDICARE_ID: 'Medicare beneficiary identifiers',
  VIN: 'vehicle numbers with a valid check digit',
  BITCOIN_ADDRESS: 'addresses without a key, valid base58check',
  NHS_NUMBER: 'NHS numbers of the test range, with a valid check digit',
  NINO: 'national insurance numbers',
  AWS_ACCESS_KEY: 'fake access key ids',
  AWS_SECRET_KEY: 'fake secret access keys, labelled',
  GITHUB_TOKEN: 'fake personal access tokens',
  GITLAB_TOKEN: 'fake personal access tokens',
  SLACK_TOKEN: 'fake bot tokens',
  SLACK_WEBHOOK: 'fake incoming webhooks',
  STRIPE_KEY: 'fake live keys',
  GOOGLE_API_KEY: 'fake API keys',
  PRIVATE_KEY: 'PEM blocks around a sentence',
  JWT: 'unsigned tokens',
  DATABASE_URL: 'connection strings with a password',
  PASSWORD: 'passwords in configuration, logs and letters',
  API_KEY: 'fake keys of nobody in particular, labelled',
  DIAGNOSIS: 'codes of illnesses, labelled',
  GPS_COORDINATES: 'where a photo was taken',
};

export function describePlanted(files: readonly ShareFile[]): PlantedEntry[] {
  return files.flatMap(({ path, planted }) => {
    const detectors = [...new Set(planted.map(({ detector }) => detector))].sort();
    return detectors.map((detector) => ({
      path,
      detector,
      description: DESCRIPTIONS[detector],
      count: planted.filter((value) => value.detector === detector).length,
    }));
  });
}
