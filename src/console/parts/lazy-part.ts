import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** Makes a part that is loaded when it is first drawn, from the export of a file. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
