/** A parsed answer. If a member is missing or has another type, the functions below return an empty value. */
export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parse(body: string): Json {
  const value: unknown = JSON.parse(body);
  return isObject(value) ? value : {};
}

export const numberIn = (value: Json, name: string): number => {
  const member = value[name];
  return typeof member === 'number' ? member : Number.NaN;
};

export const textIn = (value: Json, name: string): string => {
  const member = value[name];
  return typeof member === 'string' ? member : '';
};

export const objectIn = (value: Json, name: string): Json => {
  const member = value[name];
  return isObject(member) ? member : {};
};

export const objectsIn = (value: Json, name: string): Json[] => {
  const member = value[name];
  return Array.isArray(member) ? member.filter(isObject) : [];
};
