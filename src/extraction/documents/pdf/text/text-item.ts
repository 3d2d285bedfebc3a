/** A run of text with its position on the page. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  /** None in forms of XFA. */
  readonly transform?: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
  /** Of its blanks, in text heights (see letter-spacing.ts). Undefined for items of the library. */
  readonly gaps?: readonly number[];
  /** The replacement text, if it differs. */
  readonly meant?: string;
}

/** The extent along its line, in coordinates that are rotated with it. */
export interface GlyphPosition {
  readonly start: number;
  readonly end: number;
  /** The position of its baseline, perpendicular to the line. */
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
