import { useState } from 'preact/hooks';
import type { LiveSession } from '../state/live-session.ts';

/**
 * Number of the latest event that the page had shown when the dialog opened. A decision in the dialog is bound to it: what
 * arrives while the dialog is open may not have been read.
 */
export const useSeen = ({ view }: LiveSession): number | undefined => useState(view.peek()?.head.seq)[0];
