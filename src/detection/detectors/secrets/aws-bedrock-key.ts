import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const awsBedrockKey: Detector = issuedToken({
  id: 'AWS_BEDROCK_KEY',
  title: 'Amazon Bedrock API key',
  prefixes: [
    { text: 'ABSKQmVkcm9ja0FQSUtleS', length: [80, 260] },
    { text: 'bedrock-api-key-', length: [100, 3000] },
  ],
  alphabet: 'azAZ09++//',
  padded: true,
});
