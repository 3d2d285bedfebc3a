/**
 * Groups a listing into windows of the size that the shard's pacer sets each time: small at first, larger
 * once the number of objects per checkpoint is known.
 */
export async function* listingWindows<T>(
  batches: AsyncIterable<readonly T[]>,
  pacer: { readonly size: number },
): AsyncGenerator<T[]> {
  let window: T[] = [];
  for await (const batch of batches) {
    for (const item of batch) {
      window.push(item);
      if (window.length < pacer.size) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}
