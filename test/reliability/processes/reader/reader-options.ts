import type { Json } from '@parley/missions';

/** Where a reader connects, and as whom; sent to it as JSON. */
export interface ReaderOptions {
  readonly mcpUrl: string;
  readonly token: string;
}

/** The next tool that a reader is to call. */
export interface Order {
  readonly tool: string;
  readonly input: Json;
}

export interface Heard {
  readonly answer: Json;
}
