import { z } from 'zod';

declare const MARK: unique symbol;

/** The type of a schema that `content` has marked. */
export interface Content {
  readonly [MARK]: true;
}

/** A copy of a marked schema, such as `describe` makes, is marked too. */
const marked = z.registry<{ isContent: true }>();

/**
 * Marks a member of an event as content of its record: a text, or the evidence for a text. Once the record is closed, only the
 * log has its content. The feed leaves content out of an event inside a turn, because the event of the turn has the same content.
 */
export function content<S extends z.ZodType>(schema: S): S & Content {
  marked.add(schema, { isContent: true });
  return schema as S & Content;
}

export const isContent = (schema: unknown): boolean => schema instanceof z.ZodType && marked.get(schema) !== undefined;

type ContentNames<Shape> = { [N in keyof Shape]: Shape[N] extends Content ? N : never }[keyof Shape];

type Mask<Names extends PropertyKey> = { readonly [N in Names]: true };

/** The members of a schema that are content, in the form that `pick`, `omit` and `partial` of a schema take. */
export const contentOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => (isContent(schema) ? [[name, true]] : [])),
  ) as Mask<ContentNames<Shape>>;

/** The labels of the texts of a record. It has a label for each text of its content. */
export type TextLabels<Names> = Readonly<Record<Exclude<keyof Names, 'evidence'>, string>>;

type Emptied<R, Names extends keyof R> = Omit<R, Names> & {
  [N in Names]: NonNullable<R[N]> extends readonly unknown[] ? [] : null;
};

/** A record without its content: null for each text that it has, and no items of evidence. */
export const emptied = <R extends object, Names extends keyof R>(record: R, names: Mask<Names>): Emptied<R, Names> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Object.hasOwn(names, name) ? (Array.isArray(value) ? [] : null) : value,
    ]),
  ) as Emptied<R, Names>;
