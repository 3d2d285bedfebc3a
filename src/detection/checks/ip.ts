export type IpRange = 'public' | 'private' | 'documentation' | 'special';

/** Special-purpose ranges of RFC 6890 and others. `special`: unspecified, loopback, multicast, masks, broadcast. */
export function rangeOfV4(address: number): IpRange {
  const [a, b, c, d] = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
  if (a === 0 || a === 127 || a >= 224) return 'special';
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return 'private';
  if ((a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127)) return 'private';
  const documentation = [
    [192, 0, 2],
    [198, 51, 100],
    [203, 0, 113],
  ];
  if (documentation.some(([x, y, z]) => x === a && y === b && z === c)) return 'documentation';
  // 1.2.3.4 and the like are made up; so are versions such as 2.0.0.0.
  return (b === 0 && c === 0 && d === 0) || (b === a + 1 && c === b + 1 && d === c + 1)
    ? 'documentation'
    : 'public';
}

export function rangeOfV6(groups: readonly number[]): IpRange {
  const [first = 0, second = 0] = groups;
  if (groups.slice(0, 7).every((group) => group === 0)) return 'special';
  if (first === 0x2001 && second === 0xdb8) return 'documentation';
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80) return 'private';
  return first >= 0xff00 ? 'special' : 'public';
}

/** The eight groups of an IPv6 address, or null. RFC 4291: at most one "::", and optionally IPv4 at the end. */
export function v6Groups(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const left = groupsOf(halves[0]!, halves.length === 1);
  const right = halves.length === 2 ? groupsOf(halves[1]!, true) : [];
  if (left === null || right === null) return null;
  const missing = 8 - left.length - right.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

function groupsOf(text: string, last: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const words = text.split(':');
  for (const [n, word] of words.entries()) {
    if (last && n === words.length - 1 && word.includes('.')) {
      const parts = word.split('.').map(Number);
      if (parts.length !== 4 || !/^[\d.]+$/.test(word) || parts.some((part) => part > 255)) return null;
      groups.push(parts[0]! * 256 + parts[1]!, parts[2]! * 256 + parts[3]!);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(word)) return null;
      groups.push(Number.parseInt(word, 16));
    }
  }
  return groups;
}
