import type { SourceInputs } from "../../model/source/source-inputs.ts";
import { builder } from "../kit/builder.ts";
import { RunRef } from "../kit/refs.ts";
import { wholeRunField } from "./whole-run.ts";

export const SourceInputsRef = builder.objectRef<SourceInputs>("SourceInputs").implement({
  description: "Everything that the engine reads of a repository for one workspace.",
  fields: (t) => ({
    digest: t.exposeString("digest", {
      description:
        "The SHA-256 of the paths and contents of all files that are read, in hexadecimal. Two commits with the same digest are the same to the workspace.",
    }),
    commit: t.exposeString("commit", { description: "The commit." }),
    folders: t.exposeStringList("folders", {
      description: "The folders that are read as configuration: the workspace's own, and those of its local modules.",
    }),
    paths: t.exposeStringList("paths", {
      description:
        "Further files and folders that are read: targets of links, paths that the configuration names, and submodules. `.`: the whole repository, because something in `unresolved` could be any part of it.",
    }),
    unresolved: t.exposeStringList("unresolved", {
      description:
        "Expressions whose paths only the engine knows, with their files, and links and modules that lead out of the repository. A file that is read by them alone does not count.",
    }),
  }),
});

builder.objectField(RunRef, "commitUrl", (t) =>
  t.string({
    nullable: true,
    description:
      "The page of the commit at its git host. `null` if the source is no repository of a git host, or the host has no pages that are known.",
    ...wholeRunField(({ commitUrl }) => commitUrl),
  }),
);
