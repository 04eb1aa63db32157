import type { PeopleQuery } from "../generated/graphql.ts";

/** An organization with its people, as far as the viewer may read them. */
export type PeopleOf = NonNullable<PeopleQuery["organization"]>;

/** A section of the page. */
export interface PeopleSection {
  readonly organization: PeopleOf;
  readonly onChange: () => void;
}
