/** Decides which callers are refused while a server is overloaded: those that used most, first. */
export interface Shedder {
  /** Takes note whether the server was overloaded in the last interval. */
  sample(isOverloaded: boolean): void;
  /** The share of its points, 0 to 1, beyond which a caller is refused now; 1: none is refused. */
  readonly bound: number;
}

/** The share of the points beyond which callers are refused falls by this factor in an overloaded interval. */
const FALL = 0.8;
/** It rises by this factor in any other one: slower, so that the load does not swing. */
const RISE = 1.1;
/** A caller that has used less is never refused. */
const LEAST_SHARE = 0.01;

/**
 * Creates a shedder. All callers have the same bound, which falls as long as the overload lasts: a caller that is
 * refused has used more than any that is not.
 */
export function createShedder(): Shedder {
  let bound = 1;
  return {
    sample(isOverloaded) {
      bound = isOverloaded ? Math.max(LEAST_SHARE, bound * FALL) : Math.min(1, bound * RISE);
    },
    get bound() {
      return bound;
    },
  };
}
