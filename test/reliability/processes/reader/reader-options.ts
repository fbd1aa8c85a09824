import type { Json } from '@parley/missions';

/** Options of a reader process, passed to the process as JSON. */
export interface ReaderOptions {
  readonly mcpUrl: string;
  readonly token: string;
}

export interface Order {
  readonly tool: string;
  readonly input: Json;
}

export interface Heard {
  readonly answer: Json;
}
