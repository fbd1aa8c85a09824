import type { Json } from '@parley/missions';

/** The options of a reader process, sent to it as JSON. */
export interface ReaderOptions {
  readonly mcpUrl: string;
  readonly token: string;
}

/** The tool call that a reader must make next. */
export interface Order {
  readonly tool: string;
  readonly input: Json;
}

export interface Heard {
  readonly answer: Json;
}
