import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { sessions, useSessions } from '../state/overview.ts';
import { go, route } from '../state/route.ts';
import { Dialog } from '../ui/controls/dialog.tsx';
import { SafeText } from '../ui/text/shown.tsx';
import { type Result, resultsFor } from './results.ts';
import { findWords } from './search.ts';
import '../styles/palette.css';

interface PaletteProps {
  readonly typed: Signal<string>;
  readonly onClose: () => void;
}

/**
 * A dialog that finds sessions, records and pages of the console, and starts the search for words in all sessions. It
 * opens the result that the user chooses.
 */
export function Palette({ typed, onClose }: PaletteProps) {
  const chosen = useSignal(0);
  const list = useId();
  useSessions();
  const here = route.value;
  const results = resultsFor(typed.value, sessions.value ?? [], here.page === 'session' ? here.sessionId : null);
  const last = results.length - 1;
  const open = ({ address, words }: Result): void => {
    onClose();
    if (words !== undefined) void findWords(words);
    go(address);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = Math.min(Math.max(chosen.value + step, 0), last);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const result = results[chosen.value];
      if (result) open(result);
    }
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Type a title, the beginning of an id, or words"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={results.length > 0 ? `${list}-${chosen.value}` : undefined}
          autocomplete="off"
          aria-describedby={`${list}-help`}
          placeholder={here.page === 'session' ? 'Title, id such as q_7, or words' : 'Title or words'}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <p class="hint" id={`${list}-help`}>
          {here.page === 'session'
            ? 'Type part of a title, an id of this session such as q_7, or words that somebody said. Put a phrase in double quotes.'
            : 'Type part of a title, the beginning of the id of a session, or words that somebody said. Put a phrase in double quotes.'}
        </p>
        <div class="palette-list" id={list} role="listbox" aria-label="Matches">
          {results.map((result, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys, as in every combobox.
            <div
              key={result.key}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen.value}
              onClick={() => open(result)}
            >
              <SafeText text={result.text} /> <span class="muted">{result.detail}</span>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
