import { ActorRef } from "../people/actor.ts";
import { RunRef, StateLockRef, WorkspaceLockRef } from "../kit/refs.ts";
import { WorkspaceLockReasonEnum } from "./workspace-enums.ts";

WorkspaceLockRef.implement({
  description: "Keeps a workspace from being changed until somebody removes it.",
  fields: (t) => ({
    reason: t.expose("reason", { type: WorkspaceLockReasonEnum, description: "Why it is locked." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that left the lock, where it was one.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.run.load(runId)),
    }),
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description: "Who locked it, where it was a person.",
      resolve: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.actor.load(actorId)),
    }),
    note: t.exposeString("note", { nullable: true, description: "What that person said about it." }),
    since: t.expose("since", { type: "DateTime", description: "When it was locked." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the lock ends by itself; null: somebody must remove it.",
    }),
  }),
});

StateLockRef.implement({
  description:
    "The engine's own lock on the state: of a run, or of a person, whose runs end with STATE_LOCK_HELD until it is gone.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "The id that the engine gave it." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run whose engine holds it; null where it is a person's.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.run.load(runId)),
    }),
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person whose engine holds it; null where it is a run's.",
      resolve: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.actor.load(actorId)),
    }),
    who: t.exposeString("who", { description: "Who holds it, as the engine says." }),
    operation: t.exposeString("operation", { description: "What it is held for, as the engine says." }),
    since: t.expose("since", { type: "DateTime", description: "When it was taken." }),
  }),
});
