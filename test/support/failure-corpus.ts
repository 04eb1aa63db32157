/** The messages of engines and providers in `test/fixtures/failure-corpus`. */
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { FAILURE_REASON_NAMES } from "../../src/model/lifecycle/failure-reason.ts";

const folder = new URL("../fixtures/failure-corpus/", import.meta.url);
const messages = z.array(
  z.strictObject({
    reason: z.enum(FAILURE_REASON_NAMES).nullable(),
    summary: z.string(),
    detail: z.string(),
    address: z.string().optional(),
    engine: z.enum(["terraform", "tofu"]).optional(),
    source: z.string().min(1),
  }),
);

/** Every message, with the judgement of a person. */
export const FAILURE_CORPUS = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => messages.parse(JSON.parse(readFileSync(new URL(name, folder), "utf8"))));
