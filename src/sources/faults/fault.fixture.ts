import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorKind } from '../../base/errors.ts';
import type { Page, Protocol, ProtocolName, Reply, StoreRequest, StoreState } from './protocol.fixture.ts';

/** The input of a fault. */
export interface FaultContext {
  readonly protocol: Protocol;
  readonly storeRequest: StoreRequest;
  readonly request: IncomingMessage;
  /** How many requests met this fault before. */
  readonly before: number;
  /** Another server, which must never receive a credential. */
  readonly elsewhere: string;
}

/**
 * `complete`: every object is listed and read correctly. `notRead`: every object is listed; the objects of the fault fail with this error
 * kind, all others are read. `unreadable`: they are listed with the reason why they cannot be read. `stops`: the listing, or a read,
 * fails with an error that ends the scan.
 */
export type Expected =
  | 'complete'
  | { readonly notRead: ErrorKind }
  | { readonly unreadable: string }
  | { readonly stops: ErrorKind };

/** A fault of a store or of the network. */
export interface Fault {
  readonly name: string;
  /** All three by default. */
  readonly only?: readonly ProtocolName[];
  /** `range`: reads of a byte range. `object`: any read of the object named VICTIM. `any`: all requests. */
  readonly on: 'list' | 'read' | 'range' | 'object' | 'any';
  /** How many of these requests are served correctly first. */
  readonly skip?: number;
  /** How many of them meet the fault; all by default. */
  readonly times?: number;
  readonly page?: (page: Page, meeting: FaultContext) => Page;
  readonly reply?: (reply: Reply, meeting: FaultContext) => Reply;
  readonly send?: Transfer;
  /** The store's state after this many requests of any kind. */
  readonly state?: (requests: number) => Partial<StoreState>;
  readonly expected: Expected;
  /** Protocols with another correct outcome. */
  readonly but?: Partial<Record<ProtocolName, Expected>>;
  /** How long an outage is retried. A permanent fault gets the minimum number of attempts. */
  readonly retryTimeoutMs?: number;
  readonly answerMs?: number;
}

/** How a response is transmitted if it is not simply sent. */
export interface Transfer {
  /** Instead of a response, or of the rest of the head. */
  readonly instead?: 'reset' | 'end' | 'hang' | Buffer;
  /** Before the head: informational responses. */
  readonly first?: string;
  /** In the head, after the headers of the response. */
  readonly head?: string;
  readonly isChunked?: boolean;
  /** The announced length, if it differs from that of the body. */
  readonly length?: (real: number) => number;
  /** How many bytes of the body are sent; all by default. */
  readonly bytes?: number;
  readonly close?: 'end' | 'reset' | 'hang';
  /** Interval between single bytes. */
  readonly everyMs?: number;
}

export function transfer(socket: Socket, { status, headers, body }: Reply, how: Transfer): void {
  socket.on('error', () => {});
  const { instead, close = 'end' } = how;
  if (typeof instead === 'object') return void socket.end(instead);
  if (instead !== undefined) return finish(socket, instead);
  const length = how.length?.(body.length) ?? body.length;
  const framing = how.isChunked ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} Told\r\n${lines.join('')}${how.head ?? ''}${framing}\r\nconnection: close\r\n\r\n`;
  const sent = body.subarray(0, how.bytes ?? body.length);
  const isWhole = close === 'end';
  const end = how.isChunked && isWhole ? '0\r\n\r\n' : '';
  socket.write((how.first ?? '') + head);
  if (how.everyMs !== undefined) return sendSlowly(socket, sent, how.everyMs);
  if (how.isChunked && sent.length > 0) socket.write(`${sent.length.toString(16)}\r\n`);
  socket.write(how.isChunked && sent.length > 0 ? Buffer.concat([sent, Buffer.from('\r\n')]) : sent);
  // Delayed until the data has arrived, because a reset discards data in transit.
  socket.write(end, () => setTimeout(() => finish(socket, close), close === 'reset' ? 20 : 0));
}

function finish(socket: Socket, close: 'end' | 'reset' | 'hang'): void {
  if (close === 'end') socket.end();
  if (close === 'reset') socket.resetAndDestroy();
}

function sendSlowly(socket: Socket, body: Buffer, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < body.length) socket.write(body.subarray(at, ++at));
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}
