/** Removes the route from an instruction. `routes.test.ts` compares the routes with the registry. */
export const withoutRoute = ({ tool, text }: { readonly tool: string | null; readonly text: string }) => ({
  tool,
  text,
});
