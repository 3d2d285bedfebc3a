const NAME =
  /(?:^|[._-]|[a-z0-9])(?:pass(?:word|wd|phrase|code|wort)?|pwd)$|(?:^|[_.-])(?:pw|psk|mot_?de_?passe)$/i;

/** Bypass, compass, overpass: words that only end like it; and what is no password: a hash, a question, a limit. */
const OTHER_NAME =
  /(?:^|[^a-z])(?:by|com|encom|tres|sur|over|under|multi)pass$|(?:hash(?:ed)?|encrypted|old|confirm|verify|min|max|no|ask|get|show|hide|has|is|forgot|reset|check|require|allow|enable)[_-]?pass(?:word|wd)?$/i;

/** Names that mean other things as well: a pass of a compiler, the working directory. */
const WEAK_NAME = /pass$|pwd$|pw$/i;

/** `pass` of an account. */
const ACCOUNT_NAME = /(?:db|ftp|user|smtp|mail|root|admin|auth|login|ssh|sql|_|^)_?(?:pass|pwd|pw)$/i;

export function isPasswordName(name: string): boolean {
  return NAME.test(name) && !OTHER_NAME.test(name);
}

/** `pass`, `allPass`: other evidence is needed. */
export function isWeakPasswordName(name: string): boolean {
  return WEAK_NAME.test(name);
}

export function isAccountPasswordName(name: string): boolean {
  return ACCOUNT_NAME.test(name);
}

/** A bytewise test of the suffixes in NAME: cheap rejection of "case", "node" and "record", which are very common. */
export function endsLikePasswordName(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1]! | 32;
  const second = bytes[end - 2]! | 32;
  if (last === 0x77) return second === 0x70; // pw
  if (last === 0x6b) return second === 0x73 && (bytes[end - 3]! | 32) === 0x70; // psk
  if (last === 0x73) return second === 0x73 && (bytes[end - 4]! | 32) === 0x70; // pass
  if (last === 0x74) return second === 0x72 && (bytes[end - 5]! | 32) === 0x73; // passwort
  if (last === 0x65) return endsLikePhrase(bytes, end, second);
  if (last !== 0x64) return false;
  return second === 0x77 || (bytes[end - 5]! | 32) === 0x73; // pwd, passwd, password
}

/** passphrase, passcode, mot_de_passe */
function endsLikePhrase(bytes: Buffer, end: number, second: number): boolean {
  if (second === 0x73) return (bytes[end - 7]! | 32) === 0x73 || (bytes[end - 3]! | 32) === 0x73;
  return (bytes[end - 5]! | 32) === 0x73;
}
