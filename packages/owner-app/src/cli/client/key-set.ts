import { parseOrNull } from '@parley/core/json';
import { readRegularFile } from '../../server/access/owner-key.ts';
import type { Json } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrongUsage } from '../exit-codes.ts';
import { ANSWER_MS } from './owner-client.ts';
import { requestJson, serverUrl } from './request.ts';

export const isUrl = (text: string): boolean => /^https?:/i.test(text);

/** Reads a JSON object from an address: at most 16 MB, without a token, and a redirect is not followed. */
export const fetchedJson = (url: string, flag: string): Promise<Json> =>
  requestJson(serverUrl(url, flag), '', { secret: '', signal: AbortSignal.timeout(ANSWER_MS) });

/** The key set that the user trusts: a file, or its address. */
export async function keySetOf(source: string): Promise<unknown> {
  if (isUrl(source)) return await fetchedJson(source, '--key');
  return parseOrNull((await contentOf(source)).replace(/^\uFEFF/, ''));
}

/** @throws CliError with the exit code USAGE if there is no such file */
export async function contentOf(file: string): Promise<string> {
  const text = await readRegularFile(file);
  if (text === undefined) throw wrongUsage(`${visibleLine(file)} does not exist.`);
  return text;
}
