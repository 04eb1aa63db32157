import * as requests from "../../../src/persistence/people/program-request-store.ts";
import { ADMIN_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { exampleStore, LATER } from "./world.ts";

const HASH = Buffer.alloc(32, 7);
const OTHER_HASH = Buffer.alloc(32, 8);

export const PROGRAM_STORES = {
  "program-request-store": exampleStore(requests, ({ tx, at }) => {
    const facts = { client: "terraform-cli", address: "192.0.2.1", pollMs: 5000, createdAt: at, expiresAt: LATER };
    const device = { ...facts, secretHash: HASH, permissions: ["RUN_READ"], answer: { userCodeMac: HASH } } as const;
    const redirect = { redirectUri: "http://localhost:10000/login", challenge: "x", actorId: ADMIN_ACTOR_ID };
    return {
      insertProgramRequest: () => requests.insertProgramRequest(tx, device),
      "insertProgramRequest: allowed in the browser": () =>
        requests.insertProgramRequest(tx, { ...facts, secretHash: OTHER_HASH, permissions: null, answer: redirect }),
      findOpenProgramRequest: () => requests.findOpenProgramRequest(tx, HASH, at),
      lockProgramRequest: () => requests.lockProgramRequest(tx, HASH),
      notePoll: () => requests.notePoll(tx, HASH, { at, pollMs: 10_000 }),
      decideProgramRequest: () =>
        requests.decideProgramRequest(tx, HASH, { actorId: ADMIN_ACTOR_ID, decision: "ALLOWED", at }),
      noteProgramToken: () => requests.noteProgramToken(tx, HASH, "tok_x"),
      removeProgramRequests: () => requests.removeProgramRequests(tx, at, 10),
    };
  }),
};
