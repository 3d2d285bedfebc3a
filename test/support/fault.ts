import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** What happens to a request instead of, or on top of, being handed on. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Hangs up after so many bytes of the answer's body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Ends the answer properly after so many bytes of its body, whatever was announced. */
  | { readonly kind: 'shorten'; readonly afterBytes: number }
  /** Says nothing, ever. */
  | { readonly kind: 'hang' };

interface Passage {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly target: URL;
  readonly agent: Agent;
  /** Called with the number of bytes of the response body that were sent. */
  readonly onBytes: (count: number) => void;
}

export function injectFault(fault: Fault | null, passage: Passage): void {
  const { incoming, outgoing } = passage;
  if (fault?.kind === 'hang') return;
  if (fault?.kind !== 'answer') return forward(fault, passage);
  incoming.resume();
  outgoing.writeHead(fault.status, fault.headers).end(fault.body);
}

type BodyFault = Exclude<Fault, { kind: 'answer' | 'hang' }>;

function forward(fault: BodyFault | null, passage: Passage): void {
  const { incoming, outgoing, target, agent } = passage;
  const { method, url: path, headers } = incoming;
  const { hostname, port } = target;
  const onward = request({ hostname, port, method, path, headers, agent }, (answer) => {
    respond(fault, answer, passage).catch(() => outgoing.destroy());
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => outgoing.writableFinished || onward.destroy());
  incoming.pipe(onward);
}

async function respond(fault: BodyFault | null, answer: IncomingMessage, passage: Passage): Promise<void> {
  const { outgoing, onBytes } = passage;
  const headers = { ...answer.headers };
  if (fault?.kind === 'shorten') delete headers['content-length'];
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  const max = fault?.afterBytes ?? Number.POSITIVE_INFINITY;
  await pipeline(answer, (body) => firstOf(body, max, onBytes), outgoing, { end: false });
  if (fault?.kind === 'cut') outgoing.write('', () => outgoing.destroy());
  else outgoing.end();
}

async function* firstOf(
  body: AsyncIterable<Buffer>,
  max: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  let left = max;
  for await (const piece of body) {
    if (left === 0) return;
    const part = piece.subarray(0, left);
    left -= part.length;
    onBytes(part.length);
    yield part;
    if (left === 0) return;
  }
}
