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
