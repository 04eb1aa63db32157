import type { PolicySetQuery } from "../generated/graphql.ts";

/** A policy set as its page reads it. */
export type ShownSet = Extract<NonNullable<PolicySetQuery["node"]>, { __typename: "PolicySet" }>;
