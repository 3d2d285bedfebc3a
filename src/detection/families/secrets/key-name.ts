const NAME =
  /(?:api|access|auth|secret|private|client|app|application|service|account|encryption|signing|bearer|refresh|master|webhook|session|validation|licen[cs]e)[ _.-]?(?:key|token|secret)$|(?:^|[_.-])(?:token|secret|apikey)$|[a-z](?:Token|Secret|ApiKey)$/i;

/** `maps_key`, `paymentKey`: the value must be a long random text. */
const ANY_KEY = /[_.-](?:key|KEY)$|[a-z0-9]Key$/;

/** Keys of tables, caches, dictionaries and public keys; tokens of a page of results or of a repeated request. */
const OTHER =
  /(?:primary|foreign|partition|sort|hash|range|cache|public|pub|row|object|storage|index|group|lookup|map|dict|sub|tree|unique|composite|natural|surrogate|translation|i18n|message|label|locale|event|route|query|react|item|node|field|column|property|context|metric|trace|host|known|fingerprint|checksum|etag|idempotency|dedup(?:lication)?|s3|blob|file|image|asset|build|bundle|version|commit|merge|anon(?:ymous)?|site|gpg|pgp|manager)[_.-]?key$|(?:page|next|continuation|pagination|next[_.-]?page|idempotency|client[_.-]?request|resume|sync|cursor|design)[_.-]?token$|^client-?token$|(?:^|[a-z_-])(?:monkey|donkey|turkey|hotkey|turnkey)$/i;

export function isSecretKeyName(name: string): boolean {
  return NAME.test(name) && !OTHER.test(name);
}

export function isAnyKeyName(name: string): boolean {
  return ANY_KEY.test(name) && !OTHER.test(name);
}
