import type { GraphqlContext } from "./context.ts";
import type { Loader } from "./loader.ts";

/**
 * The resolver of a field that shows what belongs to its object: `keyOf` gives the key to load, `show` the part of the
 * loaded value that is shown. The objects of a list are read at once. `broughtBy`: the value that was read with the
 * object, and is not loaded.
 */
export function relation<Source, Key, Value, Shown>(
  loader: Loader<Key, Value>,
  keyOf: (source: Source) => Key,
  show: (value: Value, source: Source) => Shown,
  broughtBy: (source: Source) => Value | undefined = () => undefined,
) {
  return {
    extensions: { readMany },
    resolve: async (source: Source, _args: unknown, { loaders }: GraphqlContext): Promise<Shown> =>
      show(broughtBy(source) ?? (await loaders.load(loader, keyOf(source))), source),
  };

  /** Gives for each object what `resolve` gives, or an error where `resolve` fails. */
  async function readMany(sources: readonly Source[], { loaders }: GraphqlContext): Promise<(Shown | Error)[]> {
    const keys = [...new Set(sources.filter((source) => broughtBy(source) === undefined).map(keyOf))];
    const loaded = await loaders.loadMany(loader, keys);
    const values = new Map(keys.map((key, index) => [key, loaded[index]]));
    return sources.map((source) => shown(broughtBy(source) ?? values.get(keyOf(source)), source));
  }

  function shown(value: Value | Error | undefined, source: Source): Shown | Error {
    if (value === undefined) return new Error("A loader gave fewer values than it was asked for.");
    if (value instanceof Error) return value;
    try {
      return show(value, source);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
