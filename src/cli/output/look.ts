import { styleText } from 'node:util';
import { TIERS, type Tier } from '../../governance/tier.ts';
import type { Called } from '../again.ts';

/** How the terminal on the other end wants to be written to. */
export interface Look {
  readonly color: boolean;
  readonly width: number;
  readonly unicode: boolean;
  /** For commands that can be pasted. */
  readonly called?: Called;
}

/** For files and pipes: nothing that a text editor or a ticket would show as rubbish. */
export const PLAIN: Look = { color: false, width: 100, unicode: true };

const NARROWEST = 40;
const WIDEST = 160;

/** `--no-color` beats FORCE_COLOR beats NO_COLOR beats what the stream is. */
export function lookOf(
  stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
  flags: {
    readonly color?: boolean | undefined;
    readonly data?: string | undefined;
    readonly config?: string | undefined;
  } = {},
): Look {
  const width = stream.columns || Number.parseInt(env.COLUMNS ?? '', 10) || PLAIN.width;
  return {
    color: flags.color !== false && wantsColor(stream.isTTY === true, env),
    width: Math.min(WIDEST, Math.max(NARROWEST, width)),
    unicode: speaksUnicode(env),
    called: { command: env.SEINE_CALLED, data: flags.data, config: flags.config },
  };
}

function wantsColor(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY && env.TERM !== 'dumb';
}

/** Containers often have no locale at all and a UTF-8 terminal around them: only a locale that says otherwise counts. */
function speaksUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  return !locale || /utf-?8/i.test(locale);
}

type Ink = 'bold' | 'inverse' | 'red' | 'yellow' | 'cyan' | 'gray';
type Style = Ink | readonly Ink[];

export function paint(look: Look, style: Style, text: string): string {
  if (!look.color || text === '') return text;
  // Whether to colour was decided above; the stream must not be asked again.
  return styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false });
}

export const WORST_FIRST: readonly Tier[] = TIERS.toReversed();

/** The name of the tier always stands beside its colour: colour alone tells some people nothing. */
export const TIER_STYLES: Readonly<Record<Tier, Style>> = {
  MINIMAL: 'gray',
  LOW: 'cyan',
  MEDIUM: 'yellow',
  HIGH: 'red',
  CRITICAL: ['bold', 'red', 'inverse'],
};

export function heading(text: string, look: Look): string {
  return paint(look, 'bold', text);
}

export function ellipsis(look: Look): string {
  return look.unicode ? '…' : '...';
}
