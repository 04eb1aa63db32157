import type { ResourceAction } from "./plan.ts";

/** Selects changes of a plan. Parts are joined by AND; `null` selects all, an empty list nothing. */
export interface ChangeFilter {
  actions: readonly ResourceAction[] | null;
  addresses: readonly string[] | null;
  /** The address of a module, with those below it. The empty string is the root module alone. */
  module: string | null;
  type: string | null;
  /** A part of the address, in any case. */
  search: string | null;
}

export const EVERY_CHANGE: ChangeFilter = { actions: null, addresses: null, module: null, type: null, search: null };

/** Addresses of a filter. */
export const FILTERED_ADDRESSES = 500;
