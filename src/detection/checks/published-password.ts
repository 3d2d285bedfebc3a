/** Passwords of manuals and defaults, which people also leave unchanged: reported as test values. */
const PUBLISHED =
  /^(?:change-?_?me|changeit|pass(?:word|wd)?|p[a4@]ssw0rd|pwd|secret|notasecret|my-?secret(?:-pw|password)?|top ?secret|sekrit|xyzz?y?|abc|foo(?:bar)?|bar|baz|example|test(?:pass|password|ing)?|(?:bad|wrong|fake|invalid|dummy)-?pass(?:word)?|asdf)$/i;

export function isPublishedPassword(value: string): boolean {
  return PUBLISHED.test(value);
}
