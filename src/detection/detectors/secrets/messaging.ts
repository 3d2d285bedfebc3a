import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue, uuidValue } from '../../families/secrets/labelled-secret.ts';
import { markedKey } from '../../families/secrets/marked-key.ts';
import { secretUrl } from '../../families/secrets/secret-url.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';
import { COLON } from '../../families/shared-prefilters.ts';

const googleKey = `AI${'za'}${syntheticSecret(35, 'azAZ09')}`;
const slackBody = [syntheticSecret(12, '09'), syntheticSecret(13, '09'), syntheticSecret(24, 'azAZ09')].join(
  '-',
);
const teamsId = syntheticUuid();

/** Mail, chat and telephony. */
export const messaging: readonly Detector[] = [
  issuedToken({
    id: 'BREVO_KEY',
    title: 'Brevo key',
    prefixes: ['xkeysib-', 'xsmtpsib-'],
    length: 81,
    alphabet: 'azAZ09--',
    shape: /^[0-9a-f]{64}-[A-Za-z0-9]{16}$/,
    sample: `${syntheticSecret(64, '09af')}-${syntheticSecret(16, 'azAZ09')}`,
    examples: {
      match: [`xsmtpsib-${syntheticSecret(64, '09af')}-${syntheticSecret(16, 'azAZ09')}`],
      not: [],
    },
  }),
  labelledSecret({
    id: 'DISCORD_SECRET',
    title: 'Discord client secret',
    services: ['discord'],
    nouns: ['secret'],
    value: { form: /^[A-Za-z0-9_-]{32}$/, letters: 64, sample: syntheticSecret(32, 'azAZ09') },
  }),
  secretUrl({
    id: 'DISCORD_WEBHOOK',
    title: 'Discord webhook address',
    parts: ['api/webhooks/'],
    before: /discord(?:app)?\.com\/$/,
    after: /^\d{17,20}\/([A-Za-z0-9_-]{60,80})/,
    sample: ['discord.com/', `${syntheticSecret(18, '19')}/${syntheticSecret(60, 'azAZ09__--')}`],
    examples: { match: [], not: ['https://discord.com/api/webhooks/123456789012345678/your-token'] },
  }),
  secretUrl({
    id: 'GOOGLE_CHAT_WEBHOOK',
    title: 'Google Chat webhook address',
    parts: ['v1/spaces/'],
    before: /chat\.googleapis\.com\/$/,
    after: /^[\w-]{8,20}\/messages\?key=[\w-]{39}&token=([\w%-]{40,80})/,
    sample: [
      'chat.googleapis.com/',
      `AAAAq7Lw2nZ/messages?key=${googleKey}&token=${syntheticSecret(40, 'azAZ09')}`,
    ],
  }),
  // “tok” in base64 begins it.
  labelledSecret({
    id: 'INTERCOM_TOKEN',
    title: 'Intercom access token',
    services: ['intercom'],
    value: { form: /^dG9r[A-Za-z0-9+/]{55}=$/, letters: 64, sample: `dG9r${syntheticSecret(55, 'azAZ09')}=` },
  }),
  issuedToken({
    id: 'KLAVIYO_KEY',
    title: 'Klaviyo private key',
    prefixes: ['pk_'],
    length: 34,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'LIVEBLOCKS_KEY',
    title: 'Liveblocks secret key',
    prefixes: ['sk_prod_', 'sk_dev_'],
    length: 64,
    alphabet: 'azAZ09__--',
  }),
  labelledSecret({
    id: 'MAILCHIMP_KEY',
    title: 'Mailchimp API key',
    services: ['mailchimp'],
    value: { form: /^[0-9a-f]{32}-us\d{1,2}$/, letters: 16, sample: `${syntheticSecret(32, '09af')}-us7` },
  }),
  issuedToken({
    id: 'MAILERSEND_TOKEN',
    title: 'MailerSend API token',
    prefixes: ['mlsn.'],
    length: [30, 100],
    alphabet: 'azAZ09',
  }),
  // The older kind. Newer ones have no prefix and need a label.
  issuedToken({
    id: 'MAILGUN_KEY',
    title: 'Mailgun API key',
    prefixes: ['key-'],
    length: 32,
    alphabet: '09af',
  }),
  labelledSecret({
    id: 'MAILGUN_PRIVATE_KEY',
    title: 'Mailgun key without a prefix',
    services: ['mailgun'],
    value: {
      form: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/,
      letters: 16,
      sample: [
        syntheticSecret(32, '09af'),
        syntheticSecret(8, '09af'),
        syntheticSecret(9, '09af').slice(1),
      ].join('-'),
    },
  }),
  labelledSecret({
    id: 'MAILJET_KEY',
    title: 'Mailjet key',
    services: ['mailjet', 'mj_apikey', 'mj_api'],
    nouns: ['secret key', 'apikey private', 'apikey public', 'api key', 'secret'],
    value: randomValue(32, '09af'),
  }),
  labelledSecret({
    id: 'MATTERMOST_TOKEN',
    title: 'Mattermost token',
    services: ['mattermost'],
    nouns: ['token'],
    value: randomValue(26, 'az09'),
  }),
  issuedToken({
    id: 'NYLAS_KEY',
    title: 'Nylas API key',
    prefixes: ['nyk_v0_'],
    length: 64,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'ONESIGNAL_KEY',
    title: 'OneSignal API key',
    prefixes: ['os_v2_app_', 'os_v2_org_'],
    length: [90, 120],
    alphabet: 'az27',
  }),
  labelledSecret({
    id: 'POSTMARK_TOKEN',
    title: 'Postmark token',
    services: ['postmark'],
    value: uuidValue(),
  }),
  issuedToken({
    id: 'PUBNUB_KEY',
    title: 'PubNub key',
    prefixes: ['pub-c-', 'sub-c-'],
    length: 36,
    alphabet: 'az09--',
    risk: 6,
    shape: /^[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}$/,
    sample: syntheticUuid(),
  }),
  issuedToken({
    id: 'RESEND_KEY',
    title: 'Resend API key',
    prefixes: ['re_'],
    length: [29, 39],
    alphabet: 'azAZ09__',
    shape: /^[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}$/,
    sample: `${syntheticSecret(8, 'azAZ09')}_${syntheticSecret(24, 'azAZ09')}`,
    examples: { match: [], not: ['re_match_all_of_the_groups_in_a_line'] },
  }),
  issuedToken({
    id: 'SENDGRID_KEY',
    title: 'SendGrid API key',
    prefixes: ['SG.'],
    length: 66,
    alphabet: 'azAZ09__--..',
    shape: /^[\w-]{22}\.[\w-]{43}$/,
    sample: `${syntheticSecret(22, 'azAZ09')}.${syntheticSecret(43, 'azAZ09')}`,
  }),
  labelledSecret({
    id: 'SLACK_SIGNING_SECRET',
    title: 'Slack signing secret',
    services: ['slack'],
    nouns: ['secret'],
    value: randomValue(32, '09af'),
  }),
  issuedToken({
    id: 'SLACK_TOKEN',
    title: 'Slack token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xapp-'],
    length: [24, 255],
    alphabet: 'azAZ09--',
    sample: slackBody,
    examples: {
      match: [`xoxp-${slackBody}`, { text: `"xapp-1-${slackBody}"`, value: `xapp-1-${slackBody}` }],
      not: ['xoxb-123', `xoxz-${slackBody}`],
    },
  }),
  secretUrl({
    id: 'SLACK_WEBHOOK',
    title: 'Slack webhook address',
    parts: ['services/', 'workflows/', 'triggers/'],
    before: /hooks\.slack\.com\/$/,
    after: /^[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,20}\/([A-Za-z0-9]{16,48})/,
    mask: () => 'hooks.slack.com/••••••••',
    sample: ['hooks.slack.com/', `T0A1B2C3D/B4E5F6G7H/${syntheticSecret(24, 'azAZ09')}`],
    examples: { match: [], not: [`https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`] },
  }),
  secretUrl({
    id: 'TEAMS_WEBHOOK',
    title: 'Microsoft Teams webhook address',
    parts: ['IncomingWebhook/'],
    before:
      /(?:webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook)\/[0-9a-f-]{36}@[0-9a-f-]{36}\/$/,
    after: /^([0-9a-f]{32})\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/[\w-]{20,60})?/,
    sample: [
      `webhook.office.com/webhookb2/${teamsId}@${teamsId}/`,
      `${syntheticSecret(32, '09af')}/${teamsId}`,
    ],
  }),
  markedKey({
    id: 'TELEGRAM_BOT_TOKEN',
    title: 'Telegram bot token',
    prefilter: COLON,
    marks: [':AA'],
    before: { alphabet: '09', length: [8, 10] },
    after: { alphabet: 'azAZ09__--', length: 33 },
  }),
  issuedToken({
    id: 'TELNYX_KEY',
    title: 'Telnyx API key',
    prefixes: ['KEY'],
    length: 55,
    alphabet: 'azAZ09__--',
    shape: /^[0-9A-F]{32}_[\w-]{22}$/,
    sample: `${syntheticSecret(32, '09AF')}_${syntheticSecret(22, 'azAZ09')}`,
  }),
  labelledSecret({
    id: 'TWILIO_AUTH_TOKEN',
    title: 'Twilio auth token',
    services: ['twilio'],
    nouns: ['token', 'secret'],
    value: randomValue(32, '09af'),
  }),
  issuedToken({
    id: 'TWILIO_KEY',
    title: 'Twilio API key',
    risk: 8,
    prefixes: ['SK'],
    length: 32,
    alphabet: '09af',
  }),
];
