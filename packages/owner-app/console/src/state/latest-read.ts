/**
 * Makes a function that tells whether the answer of a read may replace the shown one. If several reads are in progress,
 * the answer of an earlier read can arrive after the answer of a later read. It is then older than the shown answer.
 *
 * Call the returned function when a read begins. It returns a function to call when the answer has arrived.
 */
export function latestRead(): () => () => boolean {
  let begun = 0;
  let shown = 0;
  return () => {
    begun += 1;
    const mine = begun;
    return () => {
      if (mine < shown) return false;
      shown = mine;
      return true;
    };
  };
}
