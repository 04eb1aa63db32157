/** Gives the blocks of GraphQL in a page, as it has them. */
export function graphqlExamples(page: string): string[] {
  return [...page.matchAll(/^```graphql\n(.*?)^```$/gms)].map(([, text = ""]) => text);
}
