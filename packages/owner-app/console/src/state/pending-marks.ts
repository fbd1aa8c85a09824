/** The functions that send the marks of read sections that the page has collected and not sent yet. */
const senders = new Set<() => Promise<void>>();

/** Adds a function that sends collected marks. Returns a function that removes it. */
export function addSender(send: () => Promise<void>): () => void {
  senders.add(send);
  return () => {
    senders.delete(send);
  };
}

/** Sends all collected marks now. Resolves when the service has answered. */
export const sendMarks = async (): Promise<void> => {
  await Promise.all([...senders].map((send) => send()));
};
