import { builder } from "../kit/builder.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { runCauseRef } from "../run/run-cause.ts";

builder.objectFields(WorkspaceRef, (t) => ({
  expiresAt: t.expose("expiresAt", {
    type: "DateTime",
    nullable: true,
    description:
      "When a run destroys what the workspace manages. It is deleted once its state is empty. `null` if it does not expire.",
  }),
  expiryProblem: t.exposeString("expiryProblem", {
    nullable: true,
    description: "Why the workspace still exists although it has expired. `null` if nothing is wrong.",
  }),
}));

runCauseRef("EXPIRY", "ExpiryCause").implement({
  description: "The workspace has expired.",
  fields: (t) => ({
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it expired." }),
  }),
});
