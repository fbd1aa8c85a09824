/** Milliseconds without a byte after which a stream is lost. The service sends a byte every 15 seconds. */
export const SILENCE_MS = 45_000;
/** Milliseconds without a byte after which `look` treats a stream as lost: longer than the service ever pauses. */
const MISSED_MS = 20_000;

/** Watches a stream: a line that has died without an end looks like one on which nothing happens. */
export interface SilenceWatch {
  /** To be called with each chunk. */
  hear(): void;
  /** To be called when the stream may have died unnoticed, such as after a sleep of the machine. */
  look(): void;
  stop(): void;
}

/** @param onSilent called if no byte arrives for 45 seconds */
export function watchSilence(onSilent: () => void): SilenceWatch {
  let heardAt = Date.now();
  let timer = setTimeout(onSilent, SILENCE_MS);
  return {
    hear() {
      heardAt = Date.now();
      clearTimeout(timer);
      timer = setTimeout(onSilent, SILENCE_MS);
    },
    look() {
      if (Date.now() - heardAt > MISSED_MS) onSilent();
    },
    stop: () => clearTimeout(timer),
  };
}
