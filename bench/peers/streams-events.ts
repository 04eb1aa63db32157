/** Holdpoint's subscription to the events of a run, with all that is between a commit and a client. */
import { createDomain } from "../../src/domain/domain.ts";
import { openDeps } from "../product/deps.ts";
import { createStreamServer } from "../product/stream-server.ts";
import { nowUs } from "../streams/messages.ts";
import { given, serve, send } from "../streams/serve.ts";

const CONNECTIONS = 5;

const { runIds, connection, masterKey, token } = given();
const [runId = ""] = runIds;
const { deps } = openDeps(connection, masterKey, CONNECTIONS, () => send({ type: "committed", at: nowUs() }));
const domain = createDomain(deps);
const caller = await domain.authenticate(token);
if (caller === null) throw new Error("The token is not valid.");
const { server } = await createStreamServer(deps, connection);
serve(server, () => void domain.commentOnRun(caller, { runId, text: "Noted." }));
