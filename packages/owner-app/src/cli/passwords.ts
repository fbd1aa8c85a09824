/** Minimum length of a secret that is removed from texts. A shorter secret could be an ordinary word. */
const SHORTEST = 4;

/** The user and the password of an address, as they are written. A password may contain every character. */
const WRITTEN = /^[a-z][a-z+]*:\/\/([^:@\s]*):(\S*)@([^@\s]*)$/i;

/**
 * The password of an address: as it is written, percent-decoded, and the parts of one that the address does not quote, which
 * a driver takes for a host, a port or the name of a database. Leaves out what is another part of the address too, or the
 * name of this program, because it is no secret then.
 */
export function passwordsIn(address: string | undefined): string[] {
  const [, user = '', written = '', rest = ''] = WRITTEN.exec(address ?? '') ?? [];
  const words = [user, 'parley', ...rest.split(/[:/?]/)];
  return [written, decoded(written), ...written.split(/[/#?:@]/)].filter((part) => !words.includes(part));
}

/** Returns a function that replaces each of the given secrets in a text by `***`, also as a URL or JSON writes them. */
export function withoutSecrets(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
