import type { Json } from '../../text/read-as.ts';
import { readAs } from '../../text/read-as.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** The most that a command reads of one list: a hostile server could send pages without end. */
const MOST_PAGES = 10_000;
const MOST_BYTES = 128_000_000;
/** Objects and arrays, which take far more memory than their text. */
const MOST_RECORDS = 2_000_000;

interface Paging<Page> {
  /** The cursor of the first page. Empty by default. */
  readonly from?: string;
  /** The cursor of the page after a page, or an empty text after the last page. By default the member `next_after`. */
  readonly nextOf?: (page: Page) => string;
}

/**
 * Yields the page after a cursor, and all pages after it. Rejects with CliError if a page leads to an earlier one, or if the pages
 * are too many or too long together.
 */
export async function* pagesOf<Page extends Json>(
  read: (after: string) => Promise<Page>,
  { from = '', nextOf = (page) => readAs(page, { next_after: 'text' }).next_after }: Paging<Page> = {},
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let [bytes, records] = [0, 0];
  for (let after = from; ; ) {
    seen.add(after);
    const page = await read(after);
    yield page;
    after = nextOf(page);
    if (after === '') return;
    const text = JSON.stringify(page);
    bytes += Buffer.byteLength(text);
    records += text.match(/[[{]/g)?.length ?? 0;
    if (seen.has(after)) refuse('without an end: a page leads to an earlier page. Check PARLEY_URL.');
    if (seen.size >= MOST_PAGES) refuse(`of more than ${MOST_PAGES} pages. ${LESS}`);
    if (bytes > MOST_BYTES) refuse(`of more than ${MOST_BYTES / 1_000_000} MB. ${LESS}`);
    if (records > MOST_RECORDS) refuse(`of more than ${MOST_RECORDS} records. ${LESS}`);
  }
}

const LESS = 'Check PARLEY_URL, or ask for less with the flags of the command.';

function refuse(what: string): never {
  throw new CliError(EXIT.REFUSED, `The answers of the server are a list ${what}`);
}
