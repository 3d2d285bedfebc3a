import { styleText } from 'node:util';
import { TIERS, type Tier } from '../../governance/tier.ts';
import type { Invocation } from '../suggest-command.ts';

/** Capabilities of the output terminal. */
export interface TerminalStyle {
  readonly color: boolean;
  readonly width: number;
  readonly unicode: boolean;
  /** For suggested commands. */
  readonly invocation?: Invocation;
}

/** For files and pipes: no escape sequences. */
export const PLAIN_STYLE: TerminalStyle = { color: false, width: 100, unicode: true };

const MIN_WIDTH = 40;
const MAX_WIDTH = 160;

/** Precedence for colour: `--no-color`, FORCE_COLOR, NO_COLOR, whether the stream is a terminal. */
export function detectTerminalStyle(
  stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
  flags: {
    readonly color?: boolean | undefined;
    readonly data?: string | undefined;
    readonly config?: string | undefined;
  } = {},
): TerminalStyle {
  const width = stream.columns || Number.parseInt(env.COLUMNS ?? '', 10) || PLAIN_STYLE.width;
  return {
    color: flags.color !== false && wantsColor(stream.isTTY === true, env),
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)),
    unicode: supportsUnicode(env),
    invocation: { command: env.SEINE_CALLED, data: flags.data, config: flags.config },
  };
}

function wantsColor(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY && env.TERM !== 'dumb';
}

/** Unicode unless the locale is set to another encoding: containers often have no locale but a UTF-8 terminal. */
function supportsUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  return !locale || /utf-?8/i.test(locale);
}

type AnsiStyle = 'bold' | 'inverse' | 'red' | 'yellow' | 'cyan' | 'gray';
type TextStyle = AnsiStyle | readonly AnsiStyle[];

export function paint(terminalStyle: TerminalStyle, style: TextStyle, text: string): string {
  if (!terminalStyle.color || text === '') return text;
  // Colour was decided above; `styleText` must not check the stream again.
  return styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false });
}

export const WORST_FIRST: readonly Tier[] = TIERS.toReversed();

/** The tier name is always shown with its colour, for readers who cannot distinguish colours. */
export const TIER_STYLES: Readonly<Record<Tier, TextStyle>> = {
  MINIMAL: 'gray',
  LOW: 'cyan',
  MEDIUM: 'yellow',
  HIGH: 'red',
  CRITICAL: ['bold', 'red', 'inverse'],
};

export function heading(text: string, style: TerminalStyle): string {
  return paint(style, 'bold', text);
}

export function ellipsis(style: TerminalStyle): string {
  return style.unicode ? '…' : '...';
}
