/** The result of one attempt of a hook. Only `again` is followed by another attempt. */
export type HookResult =
  | { readonly end: 'done'; readonly result: Readonly<Record<string, unknown>> }
  /** `afterMs`: the receiver asked for this delay. */
  | { readonly end: 'again'; readonly reason: string; readonly afterMs?: number }
  | { readonly end: 'failed'; readonly reason: string }
  | { readonly end: 'skipped'; readonly reason: string };
