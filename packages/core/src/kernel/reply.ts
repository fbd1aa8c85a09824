/**
 * An answer, as a value and as its JSON text. An implementation holds one of the two and computes the other when it is
 * read.
 */
export interface Reply {
  readonly value: unknown;
  readonly text: string;
}

export const replyOf = (value: unknown): Reply => new ComputedReply(value);

class ComputedReply implements Reply {
  readonly value: unknown;
  #text: string | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

/** A reply from the cache. Each use of `value` parses the text again, because the receiver may change the value. */
export class CachedReply implements Reply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}
