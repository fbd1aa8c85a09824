import { isShowable, segment } from './pointer.ts';

/** A value somewhere inside a contract. */
export interface Node {
  readonly value: unknown;
  /** Ends above a member whose name cannot be shown. */
  readonly pointer: string;
  /** Whether the pointer goes all the way to the value. */
  readonly isExact: boolean;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own members of an object, the items of an array, each with its name or index. */
export function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) ? Object.entries(value) : [];
}

/** Where a member or an item of the node stands. */
export function inside({ pointer, isExact }: Node, part: string | number): Pick<Node, 'pointer' | 'isExact'> {
  return isExact && (typeof part === 'number' || isShowable(part))
    ? { pointer: pointer + segment(part), isExact }
    : { pointer, isExact: false };
}
