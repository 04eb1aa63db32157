// A process that claims a data folder, says how that went in one word, and stays until it is killed.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openDataFolder } from "../../src/server/data-folder.ts";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { AlreadyRunningError } from "../../src/server/server-claim.ts";

/** Only the last moments are counted by looking at the clock all the time. */
const SPIN_MS = 30;
const [dir = "", startAt = "0"] = process.argv.slice(2);
// Several of them meet at one instant, which is what makes a race worth testing.
await sleep(Math.max(0, Number(startAt) - Date.now() - SPIN_MS));
while (Date.now() < Number(startAt));
try {
  await openDataFolder({ dir, uid: process.getuid?.(), identity: ownIdentity(), randomBytes });
  console.log("claimed");
  setInterval(() => {}, 1000);
} catch (error) {
  console.log(error instanceof AlreadyRunningError ? `taken ${error.pid}` : String(error));
}
