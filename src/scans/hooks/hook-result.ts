/** How one try of a hook ended. Only `again` is followed by another. */
export type HookResult =
  | { readonly end: 'done'; readonly result: Readonly<Record<string, unknown>> }
  /** `afterMs`: the other side asked to be left alone that long. */
  | { readonly end: 'again'; readonly reason: string; readonly afterMs?: number }
  | { readonly end: 'failed'; readonly reason: string }
  | { readonly end: 'skipped'; readonly reason: string };
