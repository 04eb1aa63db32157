/** The part of the address of a policy set behind `?`. */
export interface PolicySearch {
  /** The version that is shown; absent: the active one. */
  readonly version?: string;
  /** The simulation that is shown. */
  readonly simulation?: string;
}

/** Reads the address; what it does not know is left out. */
export function readPolicySearch({ version, simulation }: Record<string, unknown>): PolicySearch {
  return {
    ...(typeof version === "string" && { version }),
    ...(typeof simulation === "string" && { simulation }),
  };
}
