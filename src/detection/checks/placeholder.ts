const WORDS =
  /^(?:string|str|text|varchar|char|number|int|integer|bool|boolean|any|object|unknown|void|null|nil|none|undefined|true|false|empty|required|optional|hidden|redacted|masked|removed|omitted|placeholder|example|sample|dummy|todo|tbd|n\/?a|yes|no|on|off|self|this|input|prompt|value|default)$/i;
const FILLED = /^(.)\1*$|^[x*.•_\-#?\s]+$/i;
const REFERENCE =
  /^\$[A-Z_][A-Z0-9_]*$|^%[A-Z_]+%$|^\$\(|^\{|\$\{|#\{|\{\{|<%|%\(|%[sdv]|^<.*>$|^\[.*\]$|^!(?:ref|vault|sub)|^(?:env|vault|secret|ssm|op|arn):/i;
const LOOKED_UP =
  /process\.env|os\.environ|getenv|import\.meta|config[.[(]|settings\.|secrets?\.|vault\.|\bself\.|\bthis\.|\breq(?:uest)?\.|\bargs?\./i;
const HINT =
  /^(?:your|my|the|some|enter|insert|replace|put|add)[-_ ](?:.*[-_ ])?(?:here|password|passwd|secret|token|key)$|(?:_|-|\b)here$|x{4,}|\*{3,}|\.{3,}|<[a-z_ -]+>/i;

/** Says where a secret would stand, not what it is: `${VAR}`, `<password>`, `xxxx`, `process.env.X`, `your-key-here`. */
export function isPlaceholder(value: string): boolean {
  if (value === '' || FILLED.test(value) || WORDS.test(value)) return true;
  return REFERENCE.test(value) || LOOKED_UP.test(value) || HINT.test(value);
}
