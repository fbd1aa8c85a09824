import type { Json } from '@parley/missions';

/** Address and token of a reader, sent to it as JSON. */
export interface ReaderOptions {
  readonly mcpUrl: string;
  readonly token: string;
}

/** The next tool call for a reader. */
export interface Order {
  readonly tool: string;
  readonly input: Json;
}

export interface Heard {
  readonly answer: Json;
}
