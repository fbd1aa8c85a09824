/**
 * Text of agents as a terminal may show it: what could move the cursor, change colours or reorder letters is
 * spelt out as `\u{1b}`.
 */
export declare const visible: (text: string) => string;
/** The beginning of a commit or a checksum. */
export declare const shortHash: (hash: string) => string;
/** `2026-11-21 03:46` of an ISO 8601 time. */
export declare const shortTime: (at: unknown) => string;
//# sourceMappingURL=visible.d.ts.map
