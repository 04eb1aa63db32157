// A process that claims a data folder, says how that went in one word, and stays until it is killed.
import { randomBytes } from "node:crypto";
import { openDataFolder } from "../../src/data-folder.ts";
import { ownIdentity } from "../../src/process-identity.ts";
import { AlreadyRunningError } from "../../src/server-claim.ts";

const [dir = "", startAt = "0"] = process.argv.slice(2);
// Several of them meet at one instant, which is what makes a race worth testing.
while (Date.now() < Number(startAt));
try {
  await openDataFolder({ dir, uid: process.getuid?.(), identity: ownIdentity(), randomBytes });
  console.log("claimed");
  setInterval(() => {}, 1000);
} catch (error) {
  console.log(error instanceof AlreadyRunningError ? `taken ${error.pid}` : String(error));
}
