import type { z } from 'zod';

/**
 * Returns a function that makes a view of a record: the members which the schema names, in the order of the schema. A
 * member that the record lacks is left out.
 *
 * @param schema the view, in the names of the record
 */
export function pickOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const names = Object.keys(schema.shape);
  return <Item extends object>(record: Item): Pick<Item, Extract<keyof Item, keyof Shape>> => {
    // A loop, because Object.fromEntries takes several times as long, and views are made for each record of each answer.
    const view: Record<string, unknown> = {};
    for (const name of names) if (Object.hasOwn(record, name)) view[name] = Reflect.get(record, name);
    return view as Pick<Item, Extract<keyof Item, keyof Shape>>;
  };
}
