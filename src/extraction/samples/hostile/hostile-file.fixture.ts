/** Files of a few kilobytes or megabytes that cost much more to read than they should. */
export interface HostileFile {
  readonly what: string;
  readonly name: string;
  make(): Uint8Array;
}

export type HostileRows = Readonly<Record<string, readonly [name: string, make: () => Uint8Array | string]>>;

export function hostileFiles(rows: HostileRows): HostileFile[] {
  return Object.entries(rows).map(([what, [name, make]]) => ({
    what,
    name,
    make: () => {
      const made = make();
      return typeof made === 'string' ? Buffer.from(made, 'latin1') : made;
    },
  }));
}
