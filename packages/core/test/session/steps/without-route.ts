/** An instruction without the route of its tool, which routes.test.ts compares with the registry. */
export const withoutRoute = ({ tool, text }: { readonly tool: string | null; readonly text: string }) => ({
  tool,
  text,
});
