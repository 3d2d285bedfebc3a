/** Words of programs, which no generator of keys writes. */
const WORDS =
  /token|secret|private|public|client|server|password|project|version|service|account|metadata|default|types?(?![a-z0-9])|respon[sc]e|request|config|setting|option|provider|manager|environment|encryption|algorithm|profile|user(?![a-z0-9])|admin(?![a-z0-9])|api_?key|storage|volume|value|reference|resource|identity|certificate|credential/i;
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const MIN_PART = 3;
const PATH =
  /^(?:\/|\.{1,2}\/|~\/)[\w.-]+(?:\/[\w.-]+)*\/?$|^projects\/|^arn:|^[a-z][\w.-]*(?:\/[a-z][\w.-]*)+$/;
const MEMBERS = /^[a-z_$]\w*(?:\.[a-z_$]\w*)+$/i;
const EXTENSION = /\.(?:csv|json|ya?ml|pem|key|crt|txt|xml|html?|js|ts|py|png|svg)$/i;

/**
 * Whether a text with letters and digits is an identifier, a path or the name of a resource instead of a random key: it contains a word of
 * programs, and its letters stand together as in words.
 */
export function isIdentifierOrPath(value: string): boolean {
  if (PATH.test(value) || EXTENSION.test(value)) return true;
  const words = WORDS.test(value);
  if (words && MEMBERS.test(value)) return true;
  return words && wordLength(value) >= MIN_PART;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MIN_WORD = 3.4;

/** Whether a value is too little random for a name that may mean something else: words, members of objects, a UUID. */
export function isLikeName(value: string): boolean {
  return UUID.test(value) || /\w\.[A-Za-z_]/.test(value) || wordLength(value) >= MIN_WORD;
}

/** How many letters stand together on average; 0 if most characters are no letters. */
function wordLength(value: string): number {
  const parts = value.match(PARTS) ?? [];
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  return letters / value.length >= 0.55 ? letters / parts.length : 0;
}
