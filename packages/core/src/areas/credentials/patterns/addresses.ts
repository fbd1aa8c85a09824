import { isAddressPassword, isPassword } from '../assigned-value.ts';
import type { CredentialPattern } from '../pattern.ts';

/** Addresses and command lines with a user and a password in them. */
export const ADDRESSES: readonly CredentialPattern[] = [
  {
    kind: 'password in an address',
    certainty: 'likely',
    literals: ['://'],
    pattern: /:\/\/[^\s:@/?#"'<>`\\]{0,100}:([^\s@/"'<>`\\]{3,200})@(?=[A-Za-z0-9[])/g,
    isReal({ secret, text, start }) {
      const user = text.slice(start + 3, text.indexOf(':', start + 3));
      return isAddressPassword(secret, user);
    },
  },
  {
    kind: 'password on a command line',
    certainty: 'likely',
    literals: [' -u ', ' --user ', ' --user='],
    pattern: / (?:-u|--user)[ =]["']?[A-Za-z0-9_.@-]{1,60}:([^\s"'$<>*]{4,100})/g,
    isReal: ({ secret }) => isPassword(secret),
  },
  {
    kind: 'password on a command line',
    certainty: 'likely',
    literals: ['sshpass'],
    pattern: /sshpass -p ?["']?([^\s"'$<>*]{4,100})/g,
    isReal: ({ secret }) => isPassword(secret),
  },
];
