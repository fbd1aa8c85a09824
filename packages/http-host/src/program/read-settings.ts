import { z } from 'zod';

/** What help and documents say of a setting. */
export interface SettingFacts {
  /** Such as `--port <number>`; left out where the environment alone gives it. */
  readonly flag?: string;
  readonly purpose: string;
  /** The texts that it takes, where these are few. */
  readonly words?: readonly string[];
  /** An error message does not repeat the value. */
  readonly isSecret?: true;
}

/** The facts of each setting, by its schema. */
export const settingFacts = z.registry<SettingFacts>();

/** Text by variable name; an empty text counts as left out. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** Stops the start. Each line of the message says what is wrong with a setting, and what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads settings, each from the first source that gives it.
 *
 * @param environment an object schema with a member for each variable
 * @throws SettingsError with a line for each wrong value
 */
export function readEnvironment<T extends z.ZodObject>(
  environment: T,
  ...sources: readonly SettingTexts[]
): z.output<T> {
  const given = Object.keys(environment.shape).flatMap((variable) => {
    const text = sources.map((source) => source[variable]).find(Boolean);
    return text ? [[variable, text]] : [];
  });
  const texts: Record<string, string> = Object.fromEntries(given);
  const result = environment.safeParse(texts);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const variable = String(path[0]);
    const schema = environment.shape[variable];
    return faultLine({ variable, text: texts[variable], expected: message, ...(schema && settingFacts.get(schema)) });
  });
  throw new SettingsError(lines.join('\n'));
}

interface Fault extends Partial<SettingFacts> {
  readonly variable: string;
  readonly text: string | undefined;
  readonly expected: string;
}

function faultLine({ variable, text, expected, flag, isSecret }: Fault): string {
  const name = flag ? `${variable} (${flag.split(' ')[0]})` : variable;
  const wrong = isSecret ? 'is not valid' : `is ${JSON.stringify(text?.slice(0, 80))}`;
  return `${name} ${text === undefined ? 'is missing' : wrong}; expected ${expected}`;
}
