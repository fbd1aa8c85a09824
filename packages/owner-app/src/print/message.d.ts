/** A transcript entry, as `{ id, at, from, kind, body }` on the wire. */
export interface Message {
  readonly id: number;
  readonly at: string;
  readonly from: string;
  readonly kind: string;
  readonly body: Members;
}
export type Members = Readonly<Record<string, unknown>>;
/** Reads a transcript entry, or an event of the log: what the two call differently means the same. */
export declare const readMessage: (record: Members) => Message;
export declare const textIn: (record: Members, member: string) => string;
export declare const numberIn: (record: Members, member: string) => number;
export declare const textsIn: (record: Members, member: string) => string[];
export declare const recordsIn: (record: Members, member: string) => Members[];
export declare function membersOf(value: unknown): Members;
//# sourceMappingURL=message.d.ts.map
