import { groupDigits } from '../quantities.ts';

/** An age in its largest suitable unit. */
export function age(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${groupDigits(seconds / 86_400)} d`;
}
