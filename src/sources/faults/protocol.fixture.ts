import type { IncomingMessage } from 'node:http';
import type { Access } from '../access.ts';
import type { Source } from '../source.ts';

export type ProtocolName = 'S3' | 'Azure' | 'GCS';

/** A request, independent of the protocol. `account`: the kind of account, requested before anything else. */
export type StoreRequest =
  | {
      readonly kind: 'list';
      readonly prefix: string;
      /** Only names from here on; `isAfter`: without this name itself. */
      readonly from: string;
      readonly isAfter: boolean;
      readonly most: number;
      readonly token: string | null;
    }
  | {
      readonly kind: 'read';
      readonly name: string;
      /** The last byte is included, as in the header. */
      readonly range: { readonly first: number; readonly last: number } | null;
      readonly tag: string | null;
    }
  | { readonly kind: 'exists'; readonly name: string }
  | { readonly kind: 'account' };

/** An entry of a listing, as text, so that a fault may put anything there. Null: the element is missing. */
export interface Entry {
  readonly name: string;
  readonly size: string | null;
  readonly modified: string | null;
  readonly tag: string;
  readonly isArchived?: boolean;
  /** Written verbatim instead of the encoded name. */
  readonly rawName?: string;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Null: there is no more. */
  readonly next: string | null;
  /** S3 reports it separately from the token. */
  readonly isTruncated?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Store errors, which each protocol encodes in its own way. */
export type StoreErrorKind =
  | 'denied'
  | 'missing'
  | 'no bucket'
  | 'changed'
  | 'bad range'
  | 'slow down'
  | 'failed'
  | 'expired'
  | 'wrong key'
  | 'archived';

/** The current state of the store. */
export interface StoreState {
  secret: string;
  /** How far the store's clock is ahead of ours. */
  clockAheadMs: number;
  /** S3: the region of the bucket. */
  region: string;
}

export interface Protocol {
  readonly name: ProtocolName;
  /** The order in which it lists. */
  compare(a: string, b: string): number;
  /** `secret`: what the source was given. */
  open(endpoint: string, secret: string, access: Access): Source;
  parse(request: IncomingMessage): StoreRequest;
  /** Null: the request is accepted. */
  refusal(request: IncomingMessage, state: StoreState): Reply | null;
  entry(name: string, content: Buffer, tag: string, modified: Date): Entry;
  listing(page: Page, request: StoreRequest): Reply;
  errorReply(trouble: StoreErrorKind): Reply;
  account(): Reply;
}

export const BUCKET = 'box';
export const PREFIX = 'data/';
/** The secret that the source is given; see `StoreState.secret`. */
export const SECRET = 'bm90LWEtc2VjcmV0';
export const MAX_SKEW_MS = 900_000;

export function replyOf(status: number, body = '', headers: Record<string, string> = {}): Reply {
  return { status, headers, body: Buffer.from(body) };
}
