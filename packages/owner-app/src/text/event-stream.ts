interface Sent {
  readonly id: string;
  readonly data: string;
}

/** Parses a stream of server-sent events. An event without `id` or `data` is ignored. */
export async function* parseEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Sent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const sent = parseBlock(block);
      if (sent) yield sent;
    }
  }
}

function parseBlock(block: string): Sent | undefined {
  const fieldOf = (field: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${field}: `))
      ?.slice(field.length + 2);
  const id = fieldOf('id');
  const data = fieldOf('data');
  return id !== undefined && data !== undefined ? { id, data } : undefined;
}

/** Splits a UTF-8 text into lines. White space after the last line break is left out. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    for (const next of more) {
      yield begun.join('');
      begun = [next];
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

/** Milliseconds without a byte after which a stream is lost. The service sends a byte every 15 seconds. */
export const SILENCE_MS = 45_000;
/** Milliseconds without a byte after which `look` treats a stream as lost: longer than the service ever pauses. */
const MISSED_MS = 20_000;

/** Watches a stream: a line that has died without an end looks like one on which nothing happens. */
interface SilenceWatch {
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
