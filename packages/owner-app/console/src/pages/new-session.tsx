export function NewSession() {
  return <h1>New session</h1>;
}
