import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { get, signIns } from '../../api/client.ts';
import type { RevisionText } from '../../api/types.ts';

type Part = 'contract' | 'markdown';

interface LongText {
  readonly text: string | null;
  readonly error: ApiError | null;
}

/**
 * Reads a text of a revision in several pieces, because it is too long for one answer.
 *
 * @param path path of the revision; null reads nothing
 */
export function useLongText(path: string | null, part: Part): LongText {
  const [read, setRead] = useState<LongText & { readonly key: string }>({ key: '', text: null, error: null });
  const key = `${path} ${part}`;
  const signedIn = signIns.value;
  useEffect(() => {
    if (path === null) return undefined;
    let isStale = false;
    readPieces(path, part)
      .then((text) => {
        if (!isStale) setRead({ key, text, error: null });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!isStale) setRead({ key, text: null, error });
      });
    return () => {
      isStale = true;
    };
  }, [path, part, key, signedIn]);
  return read.key === key ? read : { text: null, error: null };
}

async function readPieces(path: string, part: Part): Promise<string> {
  for (let text = ''; ; ) {
    const { piece, left_out } = await get<RevisionText>(`${path}&part=${part}&from=${text.length}`);
    text += piece?.text ?? '';
    if (!left_out || !piece?.text) return text;
  }
}
