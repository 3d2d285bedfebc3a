/** Configuration with secrets in the places where people leave them, next to files that do it right. */
import { privateIp } from './identifiers.ts';
import { mailbox } from './people.ts';
import type { Random } from './random.ts';
import {
  apiKey,
  awsAccessKey,
  awsSecretKey,
  databaseUrl,
  googleApiKey,
  jwt,
  password,
  privateKey,
  slackWebhook,
  stripeKey,
} from './secrets.ts';
import type { Share } from './share.ts';
import { json } from './tables.ts';

export function addEngineeringConfig(share: Share, random: Random): void {
  addEnvironment(share, random);
  addSettings(share, random);
  addAccess(share, random);
}

function addEnvironment(share: Share, random: Random): void {
  share.add(
    'engineering/shop/.env',
    `# production. yes, production. we know.
NODE_ENV=production
DATABASE_URL=${databaseUrl(random, 'postgres', 'shop', 'db-main:5432/shop')}
REDIS_URL=${databaseUrl(random, 'redis', 'default', 'cache:6379/0')}
AWS_ACCESS_KEY_ID=${awsAccessKey(random)}
AWS_SECRET_ACCESS_KEY=${awsSecretKey(random)}
STRIPE_SECRET_KEY=${stripeKey(random)}
SMTP_PASSWORD=${password(random)}
MAIL_FROM=${mailbox('orders')}
LOG_LEVEL=info
`,
  );
  share.add(
    'engineering/shop/.env.sample',
    `# Copy to .env and fill in. Never commit the copy.
DATABASE_URL=postgres://<user>:<password>@localhost:5432/shop
AWS_ACCESS_KEY_ID=<your key>
AWS_SECRET_ACCESS_KEY=<your secret>
STRIPE_SECRET_KEY=changeme
SMTP_PASSWORD=\${SMTP_PASSWORD}
`,
  );
  share.add(
    'engineering/shop/docker-compose.yml',
    `services:
  db:
    image: postgres:16
    environment:
      POSTGRES_USER: shop
      POSTGRES_PASSWORD: ${password(random)}
  shop:
    build: .
    environment:
      DATABASE_URL: ${databaseUrl(random, 'postgresql', 'shop', 'db:5432/shop')}
      SESSION_SECRET: \${SESSION_SECRET}
    ports: ["8080:8080"]
`,
  );
}

function addSettings(share: Share, random: Random): void {
  share.add(
    'engineering/till/application.properties',
    `spring.datasource.url=jdbc:postgresql://tills:5432/till
spring.datasource.username=till
spring.datasource.password=${password(random)}
payment.api_key=${apiKey(random)}
server.port=8443
`,
  );
  const printer = 'model = thermal\nupside_down = true\n';
  const ftp = `host = ${privateIp(random)}\nuser = nightly\npassword = ${password(random)}\n`;
  share.add('engineering/till/settings.ini', `[ftp]\n${ftp}\n[printer]\n${printer}`);
  const mongo = databaseUrl(random, 'mongodb', 'reports', 'mongo-0:27017/reports');
  const settings = { ConnectionStrings: { Mongo: mongo }, Maps: { ApiKey: googleApiKey(random) } };
  share.add('engineering/reports/appsettings.json', json(settings));
  const weather = `api_key = "${apiKey(random)}"\nrefresh_minutes = 15\n`;
  share.add(
    'engineering/reports/app.toml',
    `[weather]\n${weather}\n[alerts]\nwebhook = "${slackWebhook(random)}"\n`,
  );
}

function addAccess(share: Share, random: Random): void {
  share.add(
    'engineering/api/requests.http',
    `### Who am I
GET https://api.brightwater.example/me
Authorization: Bearer ${jwt(random, 'till-04')}

### Stock
GET https://api.brightwater.example/stock?sku=BW-TENT-204
Authorization: Bearer {{token}}
`,
  );
  share.add('engineering/keys/deploy_rsa', `${privateKey('RSA PRIVATE KEY')}\n`);
  share.add('engineering/keys/till-04.pem', `issued to ${mailbox('tills')}\n${privateKey('PRIVATE KEY')}\n`);
}
