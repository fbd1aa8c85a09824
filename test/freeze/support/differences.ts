import { isList, isObject, type Json } from './json-text.ts';

/** A place at which what was found is not what is recorded. */
export interface Difference {
  /** The names of the members that lead to the place. An item of a list is `[]`. */
  readonly path: readonly string[];
  /** What is recorded, or undefined if the recording has nothing there. */
  readonly was: Json | undefined;
  /** What was found, or undefined if nothing is there any more. */
  readonly is: Json | undefined;
}

/** Finds the smallest parts that differ, the order of members included. */
export function* differencesOf(was: Json, is: Json, path: readonly string[] = []): Generator<Difference> {
  if (isList(was) && isList(is)) yield* inLists(was, is, path);
  else if (isObject(was) && isObject(is)) yield* inObjects(was, is, path);
  else if (was !== is) yield { path, was, is };
}

type Members = { readonly [name: string]: Json };

function* inObjects(was: Members, is: Members, path: readonly string[]): Generator<Difference> {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  for (const name of names) yield* inMember(was[name], is[name], [...path, name]);
  const [before, after] = [Object.keys(was), Object.keys(is)];
  const common = before.filter((name) => Object.hasOwn(is, name));
  const now = after.filter((name) => Object.hasOwn(was, name));
  if (common.join('\n') !== now.join('\n')) yield { path: [...path, '(order)'], was: common, is: now };
}

function* inMember(was: Json | undefined, is: Json | undefined, path: readonly string[]): Generator<Difference> {
  if (was === undefined || is === undefined) {
    if (was !== is) yield { path, was, is };
  } else yield* differencesOf(was, is, path);
}

function* inLists(was: readonly Json[], is: readonly Json[], path: readonly string[]): Generator<Difference> {
  const inner = [...path, '[]'];
  const [before, after] = [was.map(identityOf), is.map(identityOf)];
  const isNamed = [before, after].every((all) => all.every((one) => one !== '') && new Set(all).size === all.length);
  if (!isNamed) {
    for (let index = 0; index < Math.max(was.length, is.length); index += 1)
      yield* inMember(was[index], is[index], inner);
    return;
  }
  for (const [index, name] of before.entries()) yield* inMember(was[index], is[after.indexOf(name)], inner);
  for (const [index, name] of after.entries()) if (!before.includes(name)) yield* inMember(undefined, is[index], inner);
  const common = before.filter((name) => after.includes(name));
  const now = after.filter((name) => before.includes(name));
  if (common.join('\n') !== now.join('\n')) yield { path: [...path, '(order)'], was: common, is: now };
}

/** What tells an item of a list from the others: a text itself, or the ids and numbers in a record. Empty if nothing does. */
function identityOf(item: Json): string {
  if (typeof item === 'string') return item;
  if (!isObject(item)) return '';
  const ids = Object.entries(item).filter(
    ([name, value]) => /^(id|seq|code|name|filename)$|_id$/.test(name) && !isObject(value),
  );
  return ids.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(' ');
}
