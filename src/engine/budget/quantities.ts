/** Numbers with units, as parsed and formatted in budgets. */
const COUNTS: Units = { '': 1, k: 1e3, M: 1e6, G: 1e9 };
const BYTES: Units = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  PB: 1e15,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  PiB: 2 ** 50,
};
const SHORT_BYTES: Units = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
const DURATION_UNITS: Units = { d: 86_400, h: 3600, m: 60, s: 1 };

type Units = Readonly<Record<string, number>>;

/** `2M`; null if the text is not a count. */
export function parseCount(text: string): number | null {
  return integerOrNull(parseScaled(text, COUNTS));
}

/** `500GB`, `1.5TiB`, `20M`. */
export function parseBytes(text: string): number | null {
  return integerOrNull(parseScaled(text, { ...SHORT_BYTES, ...BYTES }));
}

/** `$40`, `40€`, `1.5k`. */
export function parseCost(text: string): { amount: number; currency: string | null } | null {
  const [, before, number, after] = /^(\p{Sc})?\s*(.*?)\s*(\p{Sc})?$/u.exec(text) ?? [];
  if (number === undefined || (before && after)) return null;
  const amount = parseScaled(number, COUNTS);
  return amount === null || amount > 1e6 ? null : { amount, currency: before ?? after ?? null };
}

/** `6h`, `1h30m`, in seconds; units in descending order. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?d)?(\d+(\.\d+)?h)?(\d+(\.\d+)?m)?(\d+(\.\d+)?s)?$/.test(text)) return null;
  const parts = [...text.matchAll(/([\d.]+)([dhms])/g)];
  const seconds = parts.reduce(
    (total, [, number, unit]) => total + Number(number) * DURATION_UNITS[unit!]!,
    0,
  );
  return positiveOrNull(seconds);
}

export function formatCount(value: number): string {
  return formatScaled(value, COUNTS);
}

export function formatBytes(value: number): string {
  return value < 1000 ? `${value}B` : formatScaled(value, { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 });
}

export function formatCost(value: number, currency = '$'): string {
  return `${currency}${Number.isInteger(value) ? value : value.toFixed(value < 1 ? 4 : 2)}`;
}

export function formatDuration(seconds: number): string {
  let rest = Math.round(seconds);
  const parts = Object.entries(DURATION_UNITS).flatMap(([unit, length]) => {
    const n = Math.floor(rest / length);
    rest -= n * length;
    return n > 0 ? [`${n}${unit}`] : [];
  });
  return parts.slice(0, 2).join('') || '0s';
}

/** Units are case-insensitive: no two differ only in case. */
function parseScaled(text: string, units: Units): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const unitName = Object.keys(units).find((name) => name.toLowerCase() === unit?.toLowerCase());
  return number === undefined || unitName === undefined
    ? null
    : positiveOrNull(Number(number) * units[unitName]!);
}

function formatScaled(value: number, units: Units): string {
  const [unit, size] = Object.entries(units).findLast(([, least]) => value >= least) ?? ['', 1];
  return `${Number((value / size).toPrecision(4))}${unit}`;
}

function positiveOrNull(value: number): number | null {
  return value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}

/** `1.5k` is 1,500; `1.5` is not an integer and gives null. */
function integerOrNull(value: number | null): number | null {
  const rounded = value === null ? 0 : Math.round(value);
  return value !== null && Math.abs(value - rounded) < 1e-6 + value * 1e-12 ? rounded : null;
}
