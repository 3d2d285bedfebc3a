import { hexSum } from '../../checks/token-checksum.ts';
import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';
import { syntheticSecret } from '../../families/synthetic-secret.ts';

const random = syntheticSecret(32, 'azAZ09');
const SERVICE_ACCOUNT = /^[A-Za-z0-9]{32}_[0-9a-f]{8}$/;

/** Those of service accounts end in a checksum; those of Grafana Cloud are JSON in base64. */
export const grafanaToken: Detector = issuedToken({
  id: 'GRAFANA_TOKEN',
  title: 'Grafana token',
  prefixes: [
    { text: 'glsa_', length: [41, 41] },
    { text: 'glc_eyJ', length: [40, 400], alphabet: 'azAZ09++//==' },
  ],
  alphabet: 'azAZ09__',
  checksum: (body, prefix) =>
    SERVICE_ACCOUNT.test(body) ? hexSum(prefix + body.slice(0, -9)) === body.slice(-8) : null,
  sample: `${random}_${hexSum(`glsa_${random}`)}`,
  examples: {
    match: [`glc_eyJ${syntheticSecret(80, 'azAZ09')}`, `glsa_${random}_0badc0de`],
    not: [`glsb_${random}_${hexSum(`glsa_${random}`)}`],
  },
});
