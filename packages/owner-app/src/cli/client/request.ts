import { membersOf } from '../../transcript/message.ts';
import { CliError, EXIT } from '../exit-codes.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4100';

/** The JSON body of an answer. */
export type Json = Readonly<Record<string, unknown>>;

/** @param source the variable or flag that holds the address, for the error */
export function serverUrl(given: string | undefined, source = 'PARLEY_URL'): string {
  const url = given || DEFAULT_URL;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new CliError(EXIT.USAGE, `${source} is ${JSON.stringify(url)}; expected an address such as ${DEFAULT_URL}.`);
}

/** Sends a request. Resolves to the answer if its status is below 400. */
export async function sendRequest(url: string, path: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, path, init);
  if (response.ok) return response;
  const body = refusalIn(parseBody(await response.text()));
  throw new CliError(response.status === 401 ? EXIT.NO_KEY : EXIT.REFUSED, refusalText(response.status, body), body);
}

export const readJson = async (response: Response): Promise<Json> => parseBody(await response.text());

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, init);
  } catch (error) {
    throw new CliError(
      EXIT.UNREACHABLE,
      `No server answers at ${url} (${reasonOf(error)}). Start one with parley serve, or set PARLEY_URL.`,
    );
  }
}

function refusalText(status: number, body: Json): string {
  const lines = issueLines(body);
  const message = lines.length > 1 ? lines.join('\n  ') : textOf(body.message) || 'no reason given';
  const text = `${textOf(body.error) || `HTTP ${status}`}: ${message}`;
  const hint = textOf(body.hint);
  return hint ? `${text}\n${hint}` : text;
}

/** The refusal in a body; JSON-RPC has it in the data of its error. */
function refusalIn(body: Json): Json {
  const { data } = membersOf(body.error);
  return data === undefined ? body : membersOf(data);
}

/** The faults of an input. The message names only the first. */
function issueLines({ issues, issues_total: total }: Json): string[] {
  if (!Array.isArray(issues)) return [];
  const lines = issues.map(({ path, message: fault }: Json) => `${textOf(path)}: ${textOf(fault)}`);
  return typeof total === 'number' ? [...lines, `and ${total - lines.length} more`] : lines;
}

function parseBody(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The body is not JSON, so the server is not Parley: treated as a body without members.
  }
  return {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The reason of a failed `fetch`, which is in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return String(cause.code);
  return cause instanceof Error ? cause.message : 'unknown reason';
}
