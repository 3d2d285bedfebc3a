import { entropy } from '../../checks/entropy.ts';
import { isFiller, isPlaceholder } from '../../checks/placeholder.ts';

interface FrameworkSecret {
  readonly name: RegExp;
  readonly form: RegExp;
  /** Bits per character. */
  readonly entropy: number;
}

/** The secrets with which frameworks sign cookies; their values have other characters than keys of services. */
const FRAMEWORK_SECRETS: readonly FrameworkSecret[] = [
  // Django
  { name: /(?:^|_)SECRET_KEY$/, form: /^[!-~]{40,100}$/, entropy: 3.8 },
  // Rails
  { name: /^secret_key_base$/i, form: /^[0-9a-f]{64,128}$/, entropy: 3 },
  // Laravel
  { name: /^(?:APP|app\.)_?key$/i, form: /^base64:[A-Za-z0-9+/]{22,86}={0,2}$/, entropy: 3.8 },
  // WordPress
  { name: /^(?:AUTH|SECURE_AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)$/, form: /^[ -~]{40,128}$/, entropy: 4.2 },
];

export function isFrameworkSecret(name: string, value: string): boolean {
  return FRAMEWORK_SECRETS.some(
    (secret) =>
      secret.name.test(name) &&
      secret.form.test(value) &&
      entropy(value) >= secret.entropy &&
      !isPlaceholder(value) &&
      !isFiller(value),
  );
}
