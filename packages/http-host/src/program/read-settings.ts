import { z } from 'zod';

/** The facts about a setting that the help text and the documents show. */
export interface SettingFacts {
  /** The flag, such as `--port <number>`. Absent if only an environment variable can set it. */
  readonly flag?: string;
  readonly purpose: string;
  /** All values that the setting accepts. Absent if there are many. */
  readonly words?: readonly string[];
  /** True if the value is a secret, which error messages must not repeat. */
  readonly isSecret?: true;
}

/** The facts of each setting. The key is the setting's schema. */
export const settingFacts = z.registry<SettingFacts>();

/** The text of each setting, by the name of its environment variable. An empty text counts as missing. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/**
 * Thrown if settings are wrong. The program then does not start. Each line of the message names a setting, its fault,
 * and the expected value.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads settings. If several sources contain a setting, the first of them is used.
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
  // Before an @ there may be a password, in an address that should have none.
  const wrong = isSecret ? 'is not valid' : `is ${JSON.stringify(text?.replace(/^.*@/s, '***@').slice(0, 80))}`;
  return `${name} ${text === undefined ? 'is missing' : wrong}; expected ${expected}`;
}
