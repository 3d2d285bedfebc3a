/** Why extraction stopped. The message becomes the reason of the result; what was read before is kept. */
export class ExtractionError extends Error {
  override name = 'Obstacle';
}

/** The data is not what it claims to be. */
export class CorruptInput extends ExtractionError {
  constructor(what: string) {
    super(`corrupt: ${what}`);
  }
}

/** It would cost more than one object may: see limits.ts. */
export class LimitExceeded extends ExtractionError {
  constructor(what: string) {
    super(`limit: ${what}`);
  }
}

/** Encrypted with a password. */
export class Encrypted extends ExtractionError {
  constructor() {
    super('encrypted');
  }
}

/** What is not read of an archive that was cut into several files: see multi-volume.ts. */
export const MULTI_VOLUME = 'part of a divided archive';

/** It is what it claims to be, and we don't read that. */
export class Unsupported extends ExtractionError {
  constructor(what: string) {
    super(`unsupported format: ${what}`);
  }
}

/** Not the document's fault: the installed version of a package differs from the one that its reader was written for. */
export class UnsupportedLibrary extends Error {
  static readonly pattern =
    /(?<=^Error: )The installed version of \w+ is not supported: [\w ]+\. Run: npm install$/;

  constructor(name: string, why: string) {
    super(`The installed version of ${name} is not supported: ${why}. Run: npm install`);
  }
}
