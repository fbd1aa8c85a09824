/** If the message has not moved for this number of frames, `whenStill` calls `onStill`. */
const STILL_FRAMES = 3;
/**
 * After this number of frames, `onStill` is called even if the message still moves, for example because the reader
 * scrolls.
 */
const MOST_FRAMES = 60;

/**
 * Calls `onStill` when the message no longer moves on the screen. The list measures its rows and corrects its scroll
 * position over several frames.
 *
 * @returns a function that cancels the call
 */
export function whenStill(id: number, onStill: (message: HTMLElement | null) => void): () => void {
  let lastTop: number | undefined;
  let still = 0;
  let frames = 0;
  const look = (): void => {
    const message = document.getElementById(`m-${id}`);
    const top = message?.getBoundingClientRect().top;
    still = top !== undefined && top === lastTop ? still + 1 : 0;
    lastTop = top;
    frames += 1;
    if (still >= STILL_FRAMES || frames >= MOST_FRAMES) onStill(message);
    else frame = requestAnimationFrame(look);
  };
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
