/**
 * Cuts a listing into stretches of a size that the shard's pace sets anew each time: few while nothing is known, more
 * as it turns out how many objects pass between two checkpoints.
 */
export async function* listingWindows<T>(
  batches: AsyncIterable<readonly T[]>,
  pace: { readonly size: number },
): AsyncGenerator<T[]> {
  let stretch: T[] = [];
  for await (const batch of batches) {
    for (const item of batch) {
      stretch.push(item);
      if (stretch.length < pace.size) continue;
      yield stretch;
      stretch = [];
    }
  }
  if (stretch.length > 0) yield stretch;
}
