import { effect, signal } from '@preact/signals';

const KEY = 'parley-theme';
const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The chosen theme. `auto` follows the setting of the operating system. */
export const theme = signal<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'auto');

/** Shows the page in the chosen theme. Must be called by each page: the bundler drops an import without names. */
export const followTheme = (): unknown =>
  effect(() => {
    localStorage.setItem(KEY, theme.value);
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });

export function nextTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  theme.value = next ?? 'auto';
}
