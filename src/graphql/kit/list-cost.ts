import type { GraphQLArgument } from "graphql";

/** How an argument decides the number of items of a list. */
export interface ListCost {
  /** The most items that the list has. */
  readonly max: number;
  /** The items without the argument. */
  readonly size: number;
  /** The items that cost one point. */
  readonly perPoint: number;
}

/** Declares the cost of a list: it goes into the `extensions` of the argument that bounds it. */
export function listCost(listCost: ListCost): { listCost: ListCost } {
  return { listCost };
}

/** The declared cost of an argument; `null` if it bounds no list. */
export function listCostOf({ extensions }: Pick<GraphQLArgument, "extensions">): ListCost | null {
  return isDeclaration(extensions) ? extensions.listCost : null;
}

function isDeclaration(extensions: object): extensions is ReturnType<typeof listCost> {
  return "listCost" in extensions;
}
