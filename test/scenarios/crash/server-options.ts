/** Where the server stores its data, and at which append it is killed. */
export interface ServerOptions {
  readonly place: { readonly folder: string } | { readonly databaseUrl: string };
  readonly cut?: Cut;
}

/** The append during which the process is killed, as by a power cut. The first append is number 1. */
export interface Cut {
  readonly append: number;
  /**
   * `while storing`: before the append is stored completely. `before answering`: after the append is stored and before
   * the answer is sent.
   */
  readonly moment: 'while storing' | 'before answering';
}

/** The line that the server prints when the test has to kill the server. */
export const STORING = 'storing';
