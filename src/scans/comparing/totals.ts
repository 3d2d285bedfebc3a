/** The summary of a comparison. */
import { CAUSES, type Cause, type Difference, type Summary } from './difference.ts';

export interface Totals {
  readonly new: number;
  readonly gone: number;
  readonly moved: number;
  readonly unchanged: number;
}

export function totalsOf({ types }: Summary): Totals {
  const total = (name: keyof Totals) => types.reduce((sum, type) => sum + type[name], 0);
  return { new: total('new'), gone: total('gone'), moved: total('moved'), unchanged: total('unchanged') };
}

export interface Causes {
  readonly new: Readonly<Record<Cause, number>>;
  readonly gone: Readonly<Record<Cause, number>>;
}

export async function causesOf(differences: AsyncIterable<Difference>): Promise<Causes> {
  const none = () => Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
  const causes = { new: none(), gone: none() };
  for await (const { change, cause, count } of differences)
    if (change !== 'moved' && cause !== null) causes[change][cause] += count;
  return causes;
}
