/** Sentences with one value in each, of nearly every kind that there is a detector for. The values are the examples'. */
import * as identifiers from '../../examples/generator/identifiers.ts';
import { customer } from '../../examples/generator/people.ts';
import type { Random } from '../../examples/generator/random.ts';
import * as secrets from '../../examples/generator/secrets.ts';
import * as values from '../../examples/generator/values.ts';

const SENTENCES: readonly ((random: Random) => string)[] = [
  (r) => `employee SSN: ${values.ssn(r)}`,
  (r) => `paid by card ${values.creditCard(r)}`,
  (r) => `paid by card ${values.creditCard(r, '')}`,
  (r) => `transfer to ${values.iban(r, 'DE')}`,
  (r) => `transfer to ${values.iban(r, 'GB', true)}`,
  (r) => `routing number ${values.abaRouting(r)}`,
  (r) => `provider NPI ${values.npi(r)}`,
  (r) => `medicare ${values.medicareId(r)}`,
  (r) => `vehicle VIN ${values.vin(r)}`,
  (r) => `NHS number ${values.nhsNumber(r)}`,
  (r) => `national insurance ${values.nino(r)}`,
  (r) => `wallet ${values.bitcoinAddress(r)}`,
  (r) => `date of birth ${identifiers.dateOfBirth(r)}`,
  (r) => `passport number ${identifiers.passport(r)}`,
  (r) => `driver license ${identifiers.driverLicense(r)}`,
  (r) => `MRN: ${identifiers.mrn(r)}`,
  (r) => `phone ${identifiers.usPhone(r)}`,
  (r) => `seen from ${identifiers.publicIp(r)}`,
  (r) => `wrote to ${customer(r).email}`,
  (r) => `lives at ${customer(r).address}`,
  (r) => `key ${secrets.awsAccessKey(r)}`,
  (r) => `aws_secret_access_key = ${secrets.awsSecretKey(r)}`,
  (r) => `token ${secrets.githubToken(r)}`,
  (r) => `token ${secrets.gitlabToken(r)}`,
  (r) => `token ${secrets.slackToken(r)}`,
  (r) => `token ${secrets.stripeKey(r)}`,
  (r) => `using ${secrets.googleApiKey(r)}`,
  (r) => `bearer ${secrets.jwt(r, 'customer')}`,
  (r) => `db_password=${secrets.password(r)}`,
  (r) => `api_key=${secrets.apiKey(r)}`,
  (r) => `using ${secrets.databaseUrl(r, 'postgres', 'app', 'db/main')}`,
];

export function plantedSentence(random: Random): string {
  // The examples mark their values, to count them; here only the text is wanted.
  return random
    .pick(SENTENCES)(random)
    .replace(/\uE000[A-Z_]+\uE001|\uE002/g, '');
}
