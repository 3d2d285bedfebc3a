/** A piece of text as it is drawn, and where. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  /** None in forms of XFA. */
  readonly transform?: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
  /** Of its blanks, in heights of it (see letter-spacing.ts). Of those that the library made nothing is known. */
  readonly gaps?: readonly number[];
  /** What it is said to mean, where that is something else. */
  readonly meant?: string;
}

/** Where it stands along its line: from where to where, in a system that is turned with it. */
export interface GlyphPosition {
  readonly start: number;
  readonly end: number;
  /** How far up the line it stands on is. */
  readonly base: number;
  readonly height: number;
  /** In degrees. */
  readonly turn: number;
}

export function positionOf({ transform, width, height }: TextItem): GlyphPosition {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform ?? [];
  const size = Math.hypot(a, b) || 1;
  const start = (a * x + b * y) / size;
  const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI);
  return {
    start,
    end: start + width,
    base: (a * y - b * x) / size,
    height: height || Math.hypot(c, d) || 1,
    turn,
  };
}
