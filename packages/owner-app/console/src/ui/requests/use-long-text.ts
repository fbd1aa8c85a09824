import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { callOn, signIns } from '../../api/client.ts';

type Part = 'contract' | 'markdown';

interface LongText {
  readonly text: string | null;
  readonly error: ApiError | null;
}

/**
 * Reads a text of a revision in several pieces, because it is too long for one answer.
 *
 * @param revisionId null reads nothing
 */
export function useLongText(sessionId: string, revisionId: string | null, part: Part): LongText {
  const [read, setRead] = useState<LongText & { readonly key: string }>({ key: '', text: null, error: null });
  const key = `${sessionId} ${revisionId} ${part}`;
  const signedIn = signIns.value;
  useEffect(() => {
    if (revisionId === null) return undefined;
    let isStale = false;
    readPieces(sessionId, revisionId, part)
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
  }, [sessionId, revisionId, part, key, signedIn]);
  return read.key === key ? read : { text: null, error: null };
}

async function readPieces(sessionId: string, revisionId: string, part: Part): Promise<string> {
  for (let text = ''; ; ) {
    const { piece, left_out } = await callOn(sessionId, 'revision', {
      revision_id: revisionId,
      part,
      from: text.length,
    });
    text += piece?.text ?? '';
    if (!left_out || !piece?.text) return text;
  }
}
