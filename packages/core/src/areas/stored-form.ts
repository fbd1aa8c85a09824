import { z } from 'zod';
import { type Content, content, isContent } from './content.ts';
import { EvidenceItems, StoredEvidence } from './fields.ts';

type Form<S> =
  S extends z.ZodOptional<infer Inner>
    ? z.ZodOptional<Form<Inner> extends z.ZodType ? Form<Inner> : never>
    : S extends typeof EvidenceItems
      ? typeof StoredEvidence
      : S extends z.ZodArray<infer Item>
        ? z.ZodArray<Form<Item> extends z.ZodType ? Form<Item> : never>
        : S extends z.ZodObject<infer Shape>
          ? z.ZodObject<StoredShape<Shape>, z.core.$strict>
          : S extends z.ZodString
            ? z.ZodString
            : S;

/** The shape in which an event stores an input with this shape. */
type StoredShape<Shape> = {
  [N in keyof Shape]: Shape[N] extends Content ? Form<Shape[N]> & Content : Form<Shape[N]>;
};

/**
 * The members of an input as events store them: without the limits and the words of the input. The limits of an input may change;
 * stored events stay readable.
 */
export const storedShape = <Shape extends z.ZodRawShape>(shape: Shape): StoredShape<Shape> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const form = storedForm(schema);
      return [name, isContent(schema) ? content(form) : form];
    }),
  ) as StoredShape<Shape>;

function storedForm(schema: z.core.$ZodType): z.ZodType {
  if (schema === EvidenceItems) return StoredEvidence;
  if (schema instanceof z.ZodOptional) return storedForm(schema.unwrap()).optional();
  if (schema instanceof z.ZodArray) return z.array(storedForm(schema.element));
  if (schema instanceof z.ZodObject) return z.strictObject(storedShape(schema.shape));
  return schema instanceof z.ZodString ? z.string() : (schema as z.ZodType);
}
