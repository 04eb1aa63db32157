import { pathStep } from "../../model/kit/value-path.ts";

/** Writes the path of an attribute as the engine lists it: names of attributes, keys and indexes of lists. */
export function attributePath(steps: readonly unknown[]): string {
  let path = "";
  for (const step of steps) {
    path += typeof step === "number" ? `[${step}]` : pathStep(String(step), path === "");
  }
  return path;
}
