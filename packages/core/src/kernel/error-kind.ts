export interface ErrorKind {
  /** HTTP status over REST. Over MCP an error without `jsonRpc` is a tool result with `isError` and the status 200. */
  readonly status: number;
  /** Number of the JSON-RPC error. Absent for an error that MCP reports as a tool result. */
  readonly jsonRpc?: number;
  readonly hint: string;
  /** Whether the error shows the caller what it had not read of the session, so that the call can be sent again. */
  readonly showsHead?: true;
}

/** Returns the table unchanged, with a type that contains the codes as literal types. */
export const kinds = <K extends string>(table: Record<K, ErrorKind>): Record<K, ErrorKind> => table;
