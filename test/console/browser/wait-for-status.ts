import type { Api } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";

/** Waits until a run has a status, and a version of its plan. */
export async function waitForStatus(api: Api, runId: string, status: string, planVersion?: number): Promise<void> {
  await waitUntil(async () => {
    const { run } = await api.ask(`{ run(id: "${runId}") { status failure { message } plan { version } } }`);
    if (run.failure !== null) throw new Error(run.failure.message);
    return run.status === status && (planVersion === undefined || run.plan?.version === planVersion);
  });
}
