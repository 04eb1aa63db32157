import { RefChangeRef, refChangeLoader } from "../kit/refs.ts";
import { runCauseRef } from "../run/run-cause.ts";

runCauseRef("PUSH", "PushCause").implement({
  description: "A branch was pushed to, or a tag is new. Who pushed is not known.",
  fields: (t) => ({
    change: t.field({
      type: RefChangeRef,
      nullable: true,
      description: "The change of the ref. `null` if the caller may not read the repository.",
      resolve: ({ refChangeId }, _args, { loaders }) => loaders.load(refChangeLoader, refChangeId),
    }),
    ref: t.exposeString("ref", { description: "The full name of the ref, such as `refs/heads/main`." }),
    commit: t.exposeString("commit", { description: "The commit that the run has." }),
  }),
});
