/**
 * An in-memory object store that speaks three protocols and injects faults. It verifies credentials, time and region of every request,
 * and supports paging, ranges and conditions; without a fault it behaves correctly.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpServer, startHttpServer } from '../http-server.fixture.ts';
import { type Fault, type FaultContext, transfer } from './fault.fixture.ts';
import {
  type Page,
  type Protocol,
  type Reply,
  replyOf,
  SECRET,
  type StoreRequest,
  type StoreState,
} from './protocol.fixture.ts';
import { HOME_REGION } from './s3-protocol.fixture.ts';
import { type StoreContents, TAG, VICTIM } from './store-contents.fixture.ts';

/** Small, so that a listing has several pages. */
const PAGE = 7;
const MODIFIED = new Date('2026-01-02T03:04:05Z');

export interface FaultServer extends HttpServer {
  readonly requests: number;
  /** Credentials that were sent to the other server. */
  readonly leaked: readonly string[];
}

export async function startFaultServer(
  protocol: Protocol,
  truth: StoreContents,
  fault: Fault | null,
): Promise<FaultServer> {
  const names = [...truth.keys()].sort(protocol.compare);
  const leaked: string[] = [];
  let requests = 0;
  let met = 0;

  const elsewhere = await startHttpServer(({ headers, url = '' }, response) => {
    leaked.push(`${headers.authorization ?? ''} ${url}`);
    response.writeHead(200).end('<html></html>');
  });

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const storeRequest = protocol.parse(request);
    const state: StoreState = { secret: SECRET, clockAheadMs: 0, region: HOME_REGION };
    Object.assign(state, fault?.state?.(requests));
    requests++;
    const refused = protocol.refusal(request, state);
    const isMet = refused === null && fault !== null && isHit(fault, storeRequest) && inTurn(fault);
    const meeting: FaultContext = {
      protocol,
      storeRequest,
      request,
      before: met++,
      elsewhere: elsewhere.endpoint,
    };
    if (!isMet) return send(response, refused ?? answer(storeRequest, (page) => page));
    const reply = answer(storeRequest, (page) => fault.page?.(page, meeting) ?? page);
    const changed = fault.reply?.(reply, meeting) ?? reply;
    if (fault.send === undefined) send(response, changed);
    else transfer(request.socket, changed, fault.send);
  }

  let turns = 0;
  function inTurn({ skip = 0, times = Number.POSITIVE_INFINITY }: Fault): boolean {
    const turn = turns++;
    if (turn === skip) met = 0;
    return turn >= skip && turn < skip + times;
  }

  function answer(request: StoreRequest, change: (page: Page) => Page): Reply {
    if (request.kind === 'account') return protocol.account();
    if (request.kind === 'list') return protocol.listing(change(pageOf(request)), request);
    const content = truth.get(request.name);
    if (content === undefined) return protocol.errorReply('missing');
    if (request.kind === 'exists') return replyOf(200, '{}');
    if (request.tag !== TAG) return protocol.errorReply('changed');
    if (request.range === null) return { status: 200, headers: {}, body: content };
    const { first, last } = request.range;
    if (first >= content.length) return protocol.errorReply('bad range');
    const body = content.subarray(first, last + 1);
    const range = `bytes ${first}-${first + body.length - 1}/${content.length}`;
    return { status: 206, headers: { 'content-range': range }, body };
  }

  function pageOf({ prefix, from, isAfter, most, token }: Extract<StoreRequest, { kind: 'list' }>): Page {
    const start = token === null ? from : Buffer.from(token, 'base64').toString();
    const isFrom = (name: string) => {
      const order = protocol.compare(name, start);
      return order > 0 || (order === 0 && !isAfter && token === null);
    };
    const all = names.filter((name) => name.startsWith(prefix) && isFrom(name));
    const entries = all
      .slice(0, Math.min(PAGE, most))
      .map((name) => protocol.entry(name, truth.get(name)!, TAG, MODIFIED));
    const next = all.length > entries.length ? Buffer.from(entries.at(-1)!.name).toString('base64') : null;
    return { entries, next };
  }

  const server = await startHttpServer(handle);
  return {
    endpoint: server.endpoint,
    connections: () => server.connections(),
    leaked,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      await elsewhere[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function isHit({ on }: Fault, request: StoreRequest): boolean {
  if (request.kind === 'account' || request.kind === 'exists') return on === 'any';
  if (on === 'any' || on === request.kind) return true;
  if (request.kind !== 'read') return false;
  return on === 'range' ? request.range !== null : on === 'object' && request.name === VICTIM;
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { 'content-length': body.length, ...headers }).end(body);
}
