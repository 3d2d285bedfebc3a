import { SeineError } from '../../../base/errors.ts';

/** The address of a receiver, as far as it can be judged without asking for it. */
export function checkWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The text may be a secret that took a wrong turn: it is not repeated.
    throw wrong('The address of a webhook is no URL that begins with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('The address of a webhook holds a user name or a password.');
  }
  return url;
}

function wrong(message: string): SeineError {
  return new SeineError('usage', message, {
    hint: 'Write it like https://hooks.example.com/seine. What is secret in it belongs into an environment variable.',
  });
}
