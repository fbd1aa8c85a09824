import { LEVEL_TEXTS } from '../../../../src/text/records/levels.ts';
import { Badge } from './shown.tsx';

/** Shows on what evidence rests: what agents have written is plain, a run of a command is good. */
export const Level = ({ of }: { readonly of: keyof typeof LEVEL_TEXTS }) => (
  <Badge tone={of === 'claimed' ? 'plain' : 'good'}>{LEVEL_TEXTS[of]}</Badge>
);
