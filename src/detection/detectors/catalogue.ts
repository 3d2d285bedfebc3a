import type { Detector } from '../detector.ts';
import { abaRouting } from './aba-routing.ts';
import { address } from './address.ts';
import { apiKey } from './api-key.ts';
import { awsAccessKey } from './aws-access-key.ts';
import { awsSecretKey } from './aws-secret-key.ts';
import { bitcoinAddress } from './bitcoin-address.ts';
import { creditCard } from './credit-card.ts';
import { databaseUrl } from './database-url.ts';
import { dateOfBirth } from './date-of-birth.ts';
import { dea } from './dea.ts';
import { driverLicense } from './driver-license.ts';
import { email } from './email.ts';
import { githubToken } from './github-token.ts';
import { gitlabToken } from './gitlab-token.ts';
import { googleApiKey } from './google-api-key.ts';
import { healthPlanId } from './health-plan-id.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { jwt } from './jwt.ts';
import { medicareId } from './medicare-id.ts';
import { mrn } from './mrn.ts';
import { name } from './name.ts';
import { nhsNumber } from './nhs-number.ts';
import { nino } from './nino.ts';
import { npi } from './npi.ts';
import { passport } from './passport.ts';
import { password } from './password.ts';
import { phone } from './phone.ts';
import { privateKey } from './private-key.ts';
import { slackToken } from './slack-token.ts';
import { slackWebhook } from './slack-webhook.ts';
import { ssn } from './ssn.ts';
import { stripeKey } from './stripe-key.ts';
import { swiftBic } from './swift-bic.ts';
import { vin } from './vin.ts';

/** Every detector, the specific before the general: where two claim the same bytes with equal right, the first has them. */
export const catalogue: readonly Detector[] = [
  // secrets with a look of their own
  privateKey,
  awsAccessKey,
  githubToken,
  gitlabToken,
  slackToken,
  slackWebhook,
  stripeKey,
  googleApiKey,
  jwt,
  awsSecretKey,
  databaseUrl,
  // numbers with checksums
  iban,
  creditCard,
  bitcoinAddress,
  vin,
  npi,
  dea,
  abaRouting,
  nhsNumber,
  // numbers with a structure
  ssn,
  medicareId,
  nino,
  swiftBic,
  email,
  ipAddress,
  dateOfBirth,
  // whatever a label says they are
  passport,
  driverLicense,
  healthPlanId,
  mrn,
  phone,
  address,
  password,
  apiKey,
  name,
];
