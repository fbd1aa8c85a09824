/** Makes the placeholders for several rows of one session, such as `($1, $2, $3), ($1, $4, $5)`, and their values. */
export function rowsOf(sessionId: string, rows: readonly (readonly unknown[])[]) {
  const values: unknown[] = [sessionId];
  const lines = rows.map((row) => {
    const places = row.map((value) => `$${values.push(value)}`);
    return `($1, ${places.join(', ')})`;
  });
  return { text: lines.join(', '), values };
}
