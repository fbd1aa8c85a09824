/** Calls an async function for each item, at most `limit` calls at a time. Returns the results in the order of the items. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
