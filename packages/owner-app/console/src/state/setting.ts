interface Settable<T> {
  value: T;
}

/** Makes the handler that sets a signal to a value. */
export const setting =
  <T>(to: Settable<T>, value: T) =>
  (): void => {
    to.value = value;
  };

/** Makes the handler that reverses a signal. */
export const toggling = (to: Settable<boolean>) => (): void => {
  to.value = !to.value;
};

/** Makes the handler of a form that sends it, instead of the browser. */
export const submitting =
  (send: () => unknown) =>
  (event: Event): void => {
    event.preventDefault();
    void send();
  };
