/** How the GCS stand-in answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly location: string | undefined;

  constructor(status: number, reason: string, message: string, location?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.location = location;
  }
}

/** `location`: the parameter or header that is to blame. */
export function refuse(status: number, reason: string, message: string, location?: string): never {
  throw new Refusal(status, reason, message, location);
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const type = { 'content-type': 'application/json; charset=UTF-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value) };
}

/** Requests for the content of an object get plain text, all others JSON. */
export function refusalAnswer({ status, reason, message, location }: Refusal, isMedia: boolean): Answer {
  if (status === 304) return { status };
  if (isMedia) return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: message };
  const where = location === undefined ? {} : { locationType: whereIs(location), location };
  const errors = [{ message, domain: 'global', reason, ...where }];
  return jsonAnswer(status, { error: { code: status, message, errors } });
}

function whereIs(location: string): string {
  return /^[A-Z]/.test(location) ? 'header' : 'parameter';
}
