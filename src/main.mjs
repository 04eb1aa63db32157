/**
 * Where every command begins: sources that an earlier start has stripped and compiled are read from a cache, below the
 * package and so with its owner. That takes half of a start's CPU time; where the folder cannot be written, Node goes
 * without. This is JavaScript because Node loads its compiler (45 ms of CPU) for an entry that no cache can hold yet.
 */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/holdpoint", import.meta.url)));
await import("./main.ts");
