import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { lazy } from '../ui/requests/lazy.tsx';

const Palette = lazy(
  async () => (await import('./palette.tsx')).Palette,
  () => null,
);

/** Whether a key writes a character. */
const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  [...key].length === 1 && !ctrlKey && !metaKey && !altKey;

/**
 * The button that opens the palette. Ctrl+K and ⌘K open it too, unless a modal dialog is open. Characters that are
 * typed while the code of the palette is loading are inserted into its field.
 */
export function PaletteOpener() {
  const isOpen = useSignal(false);
  const typed = useSignal('');
  const open = (): void => {
    typed.value = '';
    isOpen.value = true;
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog:modal')) return;
      if (isOpen.value && isCharacter(event)) {
        event.preventDefault();
        typed.value += event.key;
        return;
      }
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!isOpen.value) open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" class="quiet" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Find… <kbd>Ctrl K</kbd>
      </button>
      {isOpen.value && (
        <Palette
          typed={typed}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
