/** An answer, as a value and as its JSON text. Only one of the two exists at first; the other is computed on first use. */
export interface Reply {
  readonly value: unknown;
  readonly text: string;
}

/** A newly computed answer. */
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

/** A cached answer. Each use parses its value anew, because the receiver may change the value. */
export class CachedReply implements Reply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}
