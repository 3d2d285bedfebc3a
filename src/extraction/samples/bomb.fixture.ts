/** Small files that want to become large, deep or endless. */
export interface Bomb {
  readonly what: string;
  readonly name: string;
  /** Made when it is needed, as some are large; pulled, as some would not fit into memory. */
  chunks(): Iterable<Uint8Array>;
  /** The expected outcome. */
  readonly outcome: 'read' | 'partial' | 'skipped';
  readonly reason?: string;
  readonly ocr?: boolean;
}

export function bomb(
  what: string,
  name: string,
  make: () => Uint8Array,
  reason: string | null,
  more: Partial<Bomb> = {},
): Bomb {
  return {
    what,
    name,
    chunks: () => [make()],
    outcome: reason === null ? 'read' : 'partial',
    ...(reason !== null && { reason }),
    ...more,
  };
}

export function times(bytes: Uint8Array, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => bytes));
}
