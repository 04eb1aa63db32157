import { ActorRef, actorLoader } from "../people/actor.ts";
import { RunRef, StateLockRef, WorkspaceLockRef, runLoader } from "../kit/refs.ts";
import { WorkspaceLockReasonEnum } from "./workspace-enums.ts";

WorkspaceLockRef.implement({
  description: "A lock that prevents changes of a workspace until it is removed or expires.",
  fields: (t) => ({
    reason: t.expose("reason", { type: WorkspaceLockReasonEnum, description: "The reason of the lock." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that left the lock. `null` if a person set it.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.load(runLoader, runId)),
    }),
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person who set the lock. `null` if a run left it.",
      resolve: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.load(actorLoader, actorId)),
    }),
    note: t.exposeString("note", { nullable: true, description: "The note of that person. `null` if there is none." }),
    since: t.expose("since", { type: "DateTime", description: "When the workspace was locked." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the lock expires. `null` if it must be removed.",
    }),
  }),
});

StateLockRef.implement({
  description:
    "The engine's own lock on the state, taken by a run or by a person's engine. Other runs fail with STATE_LOCK_HELD until it is released.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "The id that the engine gave the lock." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run whose engine holds the lock. `null` if a person's engine does.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.load(runLoader, runId)),
    }),
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person whose engine holds the lock. `null` if a run's engine does.",
      resolve: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.load(actorLoader, actorId)),
    }),
    who: t.exposeString("who", { description: "The holder, as the engine reports it." }),
    operation: t.exposeString("operation", {
      description: "The operation that needs the lock, as the engine reports it.",
    }),
    since: t.expose("since", { type: "DateTime", description: "When the lock was taken." }),
  }),
});
