/** Preloaded into a process: appends the packages of the modules that it loads to the file in RECORD_MODULES. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.RECORD_MODULES;
const seen = new Set();

registerHooks({
  load(url, context, nextLoad) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (file !== undefined && name !== undefined && !seen.has(name)) {
      seen.add(name);
      appendFileSync(file, `${name}\n`);
    }
    return nextLoad(url, context);
  },
});
