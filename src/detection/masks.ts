/**
 * Ways to mask a value. The dot replaces letters and digits; separators are kept, so that the format stays recognisable. A value of less
 * than 8 characters shows one character at most.
 */
const DOT = '•';
const SHORT = 8;
const MAX_TOP_LENGTH = 7;
const VISIBLE = /[\p{L}\p{N}]/u;

/** Keeps this many letters and digits at each end. */
export function maskMiddle(value: string, first: number, last: number): string {
  const characters = [...value];
  const total = characters.filter((c) => VISIBLE.test(c)).length;
  const short = characters.length < SHORT || total <= first + last + 1;
  const [head, tail] = short ? [0, total > 3 ? 1 : 0] : [first, last];
  let seen = 0;
  return characters
    .map((c) => {
      if (!VISIBLE.test(c)) return c;
      seen++;
      return seen <= head || seen > total - tail ? c : DOT;
    })
    .join('');
}

/** Shows at most the issuer's public prefix; the number of dots is fixed, so it does not reveal the length. */
export function maskSecret(value: string, prefixes: readonly string[] = []): string {
  const prefix = prefixes.find((p) => value.startsWith(p) && value.length >= p.length + SHORT) ?? '';
  return prefix + DOT.repeat(8);
}

/** `jane.doe@acme.com` → `j•••@a•••.com`: keeps initials and the top-level domain, or its beginning. */
export function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  const last = domain.slice(domain.lastIndexOf('.'));
  const top = last.length > MAX_TOP_LENGTH ? '.•••' : last;
  const name = at > 1 ? value.slice(0, 1) : '';
  return `${name}•••@${domain.slice(0, 1)}•••${top}`;
}

/** `Jane Doe` → `J••• D••`; in an address the house number is masked too. */
export function maskInitials(value: string): string {
  if ([...value].length < SHORT) return `${[...value][0] ?? ''}•••`;
  return value.replace(/\p{L}[\p{L}\p{N}']*/gu, initial).replace(/\p{N}/gu, DOT);
}

function initial(word: string): string {
  const [first = '', ...rest] = word;
  return first + DOT.repeat(rest.length);
}
