import { noteServerTime } from '../../text/ago.ts';
import { membersOf } from '../../transcript/message.ts';
import { CliError, EXIT } from '../exit-codes.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4100';

/** A JSON object, such as the body of an answer or the input of an operation. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the address of a server without its last slashes, or the default address if none is given. Refuses a text
 * that is not an http or https address.
 *
 * @param source the variable or flag that contains the address, for the error message
 */
export function serverUrl(given: string | undefined, source = 'PARLEY_URL'): string {
  const url = given || DEFAULT_URL;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new CliError(EXIT.USAGE, `${source} is ${JSON.stringify(url)}; expected an address such as ${DEFAULT_URL}.`);
}

/** Sends a request. Rejects with CliError if no server answers, or if the status of the answer is 400 or higher. */
export async function sendRequest(url: string, path: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, path, init);
  if (response.ok) return response;
  const body = refusalIn(parseBody(await response.text()));
  throw new CliError(response.status === 401 ? EXIT.NO_KEY : EXIT.REFUSED, refusalText(response.status, body), body);
}

export const readJson = async (response: Response): Promise<Json> => parseBody(await response.text());

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(`${url}${path}`, init);
    noteServerTime(response);
    return response;
  } catch (error) {
    throw new CliError(
      EXIT.UNREACHABLE,
      `No server answers at ${url} (${reasonOf(error)}). Start a server with parley serve, or set PARLEY_URL to the address of your server.`,
    );
  }
}

function refusalText(status: number, body: Json): string {
  const lines = issueLines(body);
  const message = lines.length > 1 ? lines.join('\n  ') : textOf(body.message) || 'no reason given';
  const text = `${textOf(body.error) || `HTTP ${status}`}: ${message}`;
  const hint = textOf(body.hint);
  const trace = textOf(body.trace_id);
  return [text, hint, trace && `trace_id ${trace}`].filter(Boolean).join('\n');
}

/** The error object in the body of a refused request. A JSON-RPC body contains the error object in `error.data`. */
function refusalIn(body: Json): Json {
  const { data } = membersOf(body.error);
  return data === undefined ? body : membersOf(data);
}

/** A line for each issue of an input, because the message of the error describes only the first issue. */
function issueLines({ issues, issues_total: total }: Json): string[] {
  if (!Array.isArray(issues)) return [];
  const lines = issues.map(({ path, message: fault }: Json) => `${textOf(path)}: ${textOf(fault)}`);
  return typeof total === 'number' ? [...lines, `and ${total - lines.length} more invalid fields`] : lines;
}

function parseBody(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The body is not JSON, so it does not come from Parley. It is treated as a body without members.
  }
  return {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The reason why a `fetch` failed. `fetch` puts the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return String(cause.code);
  return cause instanceof Error ? cause.message : 'unknown reason';
}
