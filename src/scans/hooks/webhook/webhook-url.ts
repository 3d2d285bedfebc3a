import { SeineError } from '../../../base/errors.ts';
import { KeyCipher } from '../../../base/sealed-key.ts';
import { NameMasker } from '../../names/name-masker.ts';

/** Validates a receiver's address without connecting to it. */
export function checkWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The text may be a misplaced secret: it is not repeated.
    throw wrong('The webhook is not a URL that starts with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('The address of a webhook holds a user name or a password.');
  }
  return url;
}

const SEALED = 'sealed:';

/** The stored form: encrypted, if it may contain a secret. A URL with a variable contains none. */
export function sealUrl(text: string, secret: Uint8Array): string {
  if (text.includes('${') || !mayHoldSecret(text, secret)) return text;
  return SEALED + new KeyCipher(secret).encrypt(Buffer.from(text));
}

export function openUrl(stored: string, secret: Uint8Array): string {
  if (!stored.startsWith(SEALED)) return stored;
  return new KeyCipher(secret).decrypt(stored.slice(SEALED.length)).toString();
}

function mayHoldSecret(text: string, secret: Uint8Array): boolean {
  return checkWebhookUrl(text).search !== '' || new NameMasker(secret).message(text) !== text;
}

function wrong(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'Write it like https://hooks.example.com/seine. Put its secret parts into an environment variable.',
  });
}
