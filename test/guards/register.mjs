/** Loads the sources of the product with their checks marked. */
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createGuards } from "./guards.ts";
import { instrument } from "./instrument.ts";

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

globalThis.holdpointGuards = createGuards();
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return loaded;
    const path = fileURLToPath(url);
    if (!path.startsWith(SOURCE)) return loaded;
    const text =
      typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined);
    return { ...loaded, source: instrument(text, relative(SOURCE, path)).source };
  },
});
