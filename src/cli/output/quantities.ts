/** Formatted numbers. The format does not depend on the locale, so that reports can be compared. */
export function groupDigits(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 object", "1,204 objects". */
export function pluralize(n: number, one: string, many = `${one}s`): string {
  return `${groupDigits(n)} ${n === 1 ? one : many}`;
}

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** Decimal units, as disks and clouds count and bill: 1 kB is 1,000 bytes. */
export function humanBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.6 would round up to "1000 kB".
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value.toFixed(0) : threeDigits(value)} ${SIZES[unit]}`;
}

export function threeDigits(value: number): string {
  return value < 9.95 ? value.toFixed(1) : groupDigits(value);
}

export function humanSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${groupDigits(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} min`;
}
