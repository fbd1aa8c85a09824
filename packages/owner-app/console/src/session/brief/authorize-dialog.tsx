import { Dialog } from '../../ui/controls/dialog.tsx';
import { AuthorizeForm, type AuthorizeFormProps } from './authorize-form.tsx';
import { Brief } from './brief.tsx';
import { stepName } from './steps.ts';

type AuthorizeDialogProps = Omit<AuthorizeFormProps, 'isCard'>;

/** The dialog that shows the brief of an authorization and asks the owner to confirm it. */
export const AuthorizeDialog = ({ live, view, stage, isReady, onClose }: AuthorizeDialogProps) => (
  <Dialog title={stepName(stage)} of={view.title} onClose={onClose} isRead>
    <div class="stack">
      <Brief live={live} view={view} stage={stage} />
      <AuthorizeForm {...{ live, view, stage, isReady, onClose }} />
    </div>
  </Dialog>
);
