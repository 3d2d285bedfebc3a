import { type NamedService, serviceByLabel } from '../../data/service-list.ts';

/** At most so many words of a name form one label: OPEN_WEATHER_MAP_API. */
const MAX_LABEL_WORDS = 4;
const HUMPS = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g;
/** A noun that ends the last word, as in `shodankey` or `apitoken`. */
const ENDING = /^(.*?)(api|access|auth|secret|client|private|app)?(key|token|secret)$/;
const NOUNS = new Set([
  ...['key', 'token', 'secret', 'api', 'access', 'auth', 'oauth', 'client', 'app', 'application', 'account'],
  ...[
    'private',
    'personal',
    'service',
    'bearer',
    'refresh',
    'bot',
    'rest',
    'admin',
    'secure',
    'v1',
    'v2',
    'v3',
  ],
]);
/** What may precede a label that is also an ordinary word: headers, and the variables that build tools pass on. */
const LEADING = new Set(['x', 'my', 'vite', 'next', 'public', 'nuxt', 'react', 'app', 'prod', 'dev', 'test']);
/** The word before the noun that makes it something else than a credential. */
const NO_SECRET = new Set([
  ...['public', 'pub', 'publishable', 'primary', 'foreign', 'partition', 'sort', 'cache', 'site', 'row'],
  ...['idempotency', 'csrf', 'object', 'config', 'settings', 'setting', 'storage', 'page', 'sync', 'lookup'],
]);

/** The service that the name of an assignment mentions, such as SHODAN_API_KEY, `shodanApiKey` or `X-Shodan-Key`; null if none. */
export function serviceOfName(name: string): NamedService | null {
  const words = wordsOf(name);
  const nouns = nounsAtEnd(words);
  if (nouns === 0) return null;
  const first = LEADING.has(words[0]!) ? leadingWords(words) : 0;
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + MAX_LABEL_WORDS); to > from; to--) {
      const found = serviceByLabel(words.slice(from, to).join(''));
      if (found === undefined || to === words.length) continue;
      if (to < words.length - nouns && NO_SECRET.has(words[words.length - nouns - 1]!)) continue;
      if (!found.ordinary) return found;
      // Between an ordinary word and the end are only nouns, two or more: BOX_API_KEY, but not BOX_KEY or BOX_SIZE_API_KEY.
      if (from === first && to === words.length - nouns && nouns > 1) return found;
    }
  }
  return null;
}

function wordsOf(name: string): string[] {
  const words = name
    .replace(HUMPS, '$& ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const [, head = '', middle = '', noun] = ENDING.exec(words.at(-1) ?? '') ?? [];
  if (noun === undefined) return words;
  return [...words.slice(0, -1), head, middle, noun].filter((word) => word !== '');
}

function nounsAtEnd(words: readonly string[]): number {
  let count = 0;
  while (count < words.length && NOUNS.has(words[words.length - 1 - count]!)) count++;
  return count;
}

function leadingWords(words: readonly string[]): number {
  let count = 0;
  while (LEADING.has(words[count]!)) count++;
  return count;
}
