import { TELL_AGENT } from '../../../src/text/joining.ts';
import { Copyable } from '../ui/text/copyable.tsx';

/** The text to paste to a connected agent so that it continues. */
export const TellAgent = () => <Copyable label="Paste this text to the agent" text={TELL_AGENT} />;
