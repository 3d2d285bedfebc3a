/** What was asked for beside what was measured, in one plain line. */
export function checkMinimum(what: string, measured: number, min: number, unit = ''): string {
  const digits = measured < 100 ? 2 : 0;
  const shown = Number.isNaN(measured) ? 'not measured' : `${measured.toFixed(digits)}${unit}`;
  return `${what}: ${shown}, required ${min}${unit}: ${measured >= min ? 'met' : 'not met'}`;
}
