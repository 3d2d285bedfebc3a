/** Sources, scripts and runbooks. */
import { privateIp } from './identifiers.ts';
import { colleague } from './people.ts';
import type { Random } from './random.ts';
import { apiKey, awsAccessKey, awsSecretKey, databaseUrl, googleApiKey, stripeKey } from './secrets.ts';
import type { Share } from './share.ts';
import { json } from './tables.ts';

export function addEngineeringCode(share: Share, random: Random): void {
  addSources(share, random);
}

function addSources(share: Share, random: Random): void {
  const author = colleague(random);
  share.add(
    'engineering/billing/billing.py',
    `"""Nightly billing. Written by ${author.plain} <${author.email}>, who is on holiday."""
import os

import stripe

stripe.api_key = "${stripeKey(random)}"  # works on my machine
DB_PASSWORD = os.environ["DB_PASSWORD"]


def charge(customer, cents):
    if cents <= 0:
        raise ValueError("we do not pay people to take boots")
    return stripe.Charge.create(customer=customer, amount=cents, currency="usd")
`,
  );
  share.add(
    'engineering/store-finder/geocode.ts',
    `const KEY = '${googleApiKey(random)}';

export interface Place {
  lat: number;
  lng: number;
}

export async function geocode(address: string): Promise<Place> {
  const query = new URLSearchParams({ address, key: KEY });
  const response = await fetch(\`https://maps.example.com/geocode?\${query}\`);
  if (!response.ok) throw new Error('The map is wet.');
  return (await response.json()) as Place;
}
`,
  );
  share.add(
    'engineering/till/PaymentClient.java',
    `package example.brightwater.till;

final class PaymentClient {
    private static final String API_KEY = "${apiKey(random)}";
    private static final String FALLBACK_HOST = "${privateIp(random)}";

    // Luhn lives in the terminal. Do not reimplement it here again.
    String authorize(String terminal, long cents) {
        return Http.post(FALLBACK_HOST, terminal, cents, API_KEY);
    }
}
`,
  );
  share.add(
    'engineering/website/legacy-upload.js',
    `// 2017. Touch it and the catalogue stops. Nobody knows why.
var AWS = require('aws-sdk');
AWS.config.update({
  accessKeyId: '${awsAccessKey(random)}',
  secretAccessKey: '${awsSecretKey(random)}',
});
var password = process.env.UPLOAD_PASSWORD;
module.exports = function upload(file, done) {
  new AWS.S3().putObject({ Bucket: 'catalogue', Key: file.name, Body: file.body }, done);
};
`,
  );
  const cells = [
    `conn = "${databaseUrl(random, 'postgresql', 'analyst', 'replica:5432/shop')}"`,
    "df = pd.read_sql('select * from orders', conn)",
    'df.churn.mean()  # it is the socks',
  ];
  share.add(
    'engineering/notebooks/churn.ipynb',
    json({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: cells.map((line) => ({ cell_type: 'code', metadata: {}, outputs: [], source: [line] })),
    }),
  );
}
