/** One error code: its statuses, and its hint. */
export interface ErrorKind {
  /** HTTP status over REST. Over MCP the answer to a refused operation has the status 200 and `isError`. */
  readonly status: number;
  /** Number of the JSON-RPC error. Absent for an error that MCP reports as a tool result. */
  readonly jsonRpc?: number;
  /** Tells the caller what to do next. */
  readonly hint: string;
}

/** Returns the table unchanged. Its type keeps the codes as literal types. */
export const kinds = <K extends string>(table: Record<K, ErrorKind>): Record<K, ErrorKind> => table;
