export const ROOT: string;

interface Machine {
  readonly root?: string;
  readonly platform: string;
  readonly arch: string;
  readonly version: string;
  readonly execPath: string;
}

export function findNode(machine?: Machine): string;

export function ensureInstalled(options?: {
  readonly root?: string;
  readonly dev?: boolean;
  readonly say?: (line: string) => void;
}): boolean;
