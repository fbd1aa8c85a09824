import { effect, signal } from '@preact/signals';

const KEY = 'parley-theme';
const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The chosen theme. `auto` follows the setting of the operating system. */
export const theme = signal<Theme>(THEMES.find((known) => known === stored()) ?? 'auto');

/** Null if nothing is stored, and if the browser keeps the storage from pages. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Does nothing if the browser keeps the storage from pages: the choice then lasts as long as the page. */
function store(chosen: Theme): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // See above.
  }
}

/** Shows the page in the chosen theme. Must be called by each page: the bundler drops an import without names. */
export const followTheme = (): unknown =>
  effect(() => {
    store(theme.value);
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });

export function nextTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  theme.value = next ?? 'auto';
}
