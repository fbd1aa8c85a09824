import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FoundWords, findWords, hasFound } from '../palette.tsx';
import { usePageTitle } from '../state/page-title.ts';
import { go, search, toFind } from '../state/route.ts';
import { submitting } from '../state/setting.ts';
import { bound, Field } from '../ui/controls/form.tsx';

/**
 * The page that finds words in the transcripts and contracts of all sessions. The words are part of its address, so a
 * step back from a hit shows the hits again.
 */
export function FindPage() {
  const words = new URLSearchParams(search.value).get('words')?.trim() ?? '';
  usePageTitle(words === '' ? 'Find' : `Find ${words}`);
  const isFound = hasFound(words);
  useEffect(() => {
    if (words !== '' && !isFound) void findWords(words);
  }, [words, isFound]);
  return (
    <div class="stack">
      <h1>Find</h1>
      <WordsForm key={words} words={words} />
      {words !== '' && <FoundWords words={words} />}
    </div>
  );
}

function WordsForm({ words }: { readonly words: string }) {
  const typed = useSignal(words);
  const submit = (): void => {
    const asked = typed.value.trim();
    if (asked === '') return;
    void findWords(asked);
    go(toFind(asked));
  };
  return (
    <form class="stack" onSubmit={submitting(submit)}>
      <Field
        label="Words in the transcripts and contracts of all sessions"
        hint="All words must occur. A word also finds longer words that begin with it: port finds portal. Put a phrase in double quotes."
        {...bound(typed)}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={typed.value.trim() === ''}>
          Find
        </button>
      </div>
    </form>
  );
}
