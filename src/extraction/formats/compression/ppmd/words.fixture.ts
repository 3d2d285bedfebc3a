/** Words out of a few hundred, with bytes of all kinds between them; the same each time. */
export function writeWords(): Buffer {
  let seed = 1;
  let out = '';
  const next = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed >> 8;
  };
  while (out.length < 200_000) {
    const n = next() % 900;
    out += `${(n * 7919).toString(36)}${n % 7 === 0 ? '\n' : ' '}`;
    if (next() % 50 === 0) out += String.fromCharCode(128 + (next() % 128));
  }
  return Buffer.from(out, 'latin1');
}
