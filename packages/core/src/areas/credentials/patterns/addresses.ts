import { isAddressPassword, isPassword } from '../assigned-value.ts';
import type { CredentialPattern } from '../pattern.ts';

/** Patterns for passwords in addresses and in command lines. */
export const ADDRESSES: readonly CredentialPattern[] = [
  {
    kind: 'password in an address',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['://'],
    at: 'anywhere',
    pattern: /:\/\/[^\s:@/?#"'<>`\\]{0,100}:([^\s@/"'<>`\\]{3,200})@(?=[A-Za-z0-9[])/y,
    isReal({ secret, text, start }) {
      const user = text.slice(start + 3, text.indexOf(':', start + 3));
      return isAddressPassword(secret, user);
    },
  },
  {
    kind: 'password on a command line',
    certainty: 'likely',
    starts: [' -u ', ' --user ', ' --user=', 'sshpass -p'],
    at: 'anywhere',
    pattern: /(?: (?:-u|--user)[ =]["']?[A-Za-z0-9_.@-]{1,60}:|sshpass -p ?["']?)([^\s"'$<>*]{4,100})/y,
    isReal: ({ secret }) => isPassword(secret),
  },
  {
    kind: 'secret on a command line',
    certainty: 'likely',
    starts: ['--pass', '--token', '--secret', '--api-key', '--auth-token', '--access-token', '--client-secret'],
    at: 'anywhere',
    pattern:
      /--(?:password|pass|token|secret|api-key|auth-token|access-token|client-secret)[ =]["']?([^\s"'$<>(){}]{6,200})/y,
    isReal: ({ secret }) => isPassword(secret),
  },
];
