import { expect, it } from "vitest";
import { readingBy } from "../../../src/model/state/state-version.ts";

const at = new Date("2026-11-20T16:07:25.447Z");

it("records who has read a state, by which credential, and how", () => {
  const reading = { actorId: "usr_1", way: "DOWNLOAD", at: at.toISOString() };
  const read = (credentialId: string) => readingBy({ actor: { id: "usr_1" }, credentialId }, "DOWNLOAD", at);
  expect(read("tok_1")).toEqual({ ...reading, credentialId: "tok_1" });
  expect(read("")).toEqual({ ...reading, credentialId: null });
});
