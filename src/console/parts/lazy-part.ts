import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import { linkStatus } from "../live/link.ts";
import { untilRetry } from "../live/retry.ts";

/** How often a part is loaded again while the connection is live: a server of another release has it no longer. */
const TRIES = 3;

/** Makes a part that is loaded when it is first drawn, from the export of a file. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadPart(load))[name] }));
}

/** Loads a file of the console, and again after each loss of the connection: a failed load would end the whole page. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (linkStatus().state === "LIVE") failures += 1;
      if (failures >= TRIES) throw error;
      await untilRetry();
    }
  }
}
